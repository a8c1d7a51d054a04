dialect: html
title: HTML Living Standard, 13.2 Parsing HTML documents (2026-10-03)
file: html-2026-10-03.html
form: html
names: entities.json
from: 13.2.5 Tokenization
to: 13.2.6 Tree construction
input: 13.2.2 Parse errors until 13.2.4 Parse state
input: 13.3 Serializing HTML fragments until 13.4 Parsing HTML fragments
granted: references "html.references";
granted: flag adjusted-current-node = html | foreign by host;
// Sentences that explain, remind or give a reason, by their hashes; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 56375c5d b3325fdb 6456478e fe602a3b d3fda6c6 e663e14a c1e0ed98 0dd12acf 44509acc 4592a581 3b00b51c 6e9e3a50
remarks: 9b6574fd a301218a 2f671a80 c3826ddb 7216a4ab 076191e4 47ebd0f7 b048d853 55355219 12da5a37 30e77388
remarks: 3698ba4a be3817b9 40846016 ef0c7db0 95cd8191 e498811b 1a836b59 c0cff9b4 441f2272 3099263e ce5d1267 36e62abb
remarks: 8da1bdef c9a64ff8
// The same of texts of other dates, which `cargo xtask diff --history` reads.
remarks: 12cb1a12 3143b083 3d0c6ff9 78c4bb62 cf84d287
remarks: 9c989bc2 802bb605

// Sentences that occur once, by their hashes, each with the steps that it stands for; `cargo xtask diff NAME --gloss LINE STEPS`
// adds one.
gloss: f5852eaf = drop-duplicate-attribute: discard attribute and its value;
gloss: da2a8575 = drop-duplicate-attribute: keep attribute current;
gloss: 8722805e = reconsume: switch state; let next-character current-character;
gloss: 504f537e = create-doctype: let name missing; let public-identifier missing; let system-identifier missing; let force-quirks-flag off;
gloss: c921969e = create-tag: let self-closing-flag unset; let attributes empty;
gloss: 3043b9a3 = emit: handle token by tree-construction at-once;
gloss: 89d63e90 = emit: when token is start-tag and self-closing-flag is set and not acknowledged { error non-void-html-element-start-tag-with-trailing-solidus; }
gloss: 16410a4d = appropriate-end-tag: when tag-name is name of last-start-tag { return match; }
gloss: 6b7ec12d = appropriate-end-tag: when last-start-tag is not set { return failure; }
gloss: 31bfd2e4 = step: check parser-pause-flag;
gloss: 567941c9 = step: when parser-pause-flag is true { return to-caller; }
