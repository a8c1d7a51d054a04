dialect: html-2013
title: HTML, 12.2.4 Tokenization (2013)
file: html-2013.txt
form: text
granted: references "html.references";
granted: flag adjusted-current-node = html | foreign by host;
// Sentences that explain, introduce or remind, by their hashes; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 3698ba4a 318d7e4e 40846016 ef0c7db0 95cd8191 6a8221c4 1a836b59 c0cff9b4 441f2272 3099263e ce5d1267 36e62abb
remarks: a6e43be0 0d5a4fc0 8da1bdef 9c989bc2 d139fae5 dc140e3f 802bb605 d6219743 5ed8ad75 fc255781 c07e9c5f

// Sentences that occur once, by their hashes, each with the steps that it stands for; `cargo xtask diff NAME --gloss LINE STEPS`
// adds one.
gloss: 504f537e = create-doctype: let name missing; let public-identifier missing; let system-identifier missing; let force-quirks-flag off;
gloss: c921969e = create-tag: let self-closing-flag unset; let attributes empty;
gloss: 3043b9a3 = emit: handle token by tree-construction at-once;
gloss: 9aa83d4d = emit: when token is start-tag and self-closing-flag is set and not acknowledged { error; }
gloss: 16410a4d = appropriate-end-tag: when tag-name is name of last-start-tag { return match; }
gloss: 6b7ec12d = appropriate-end-tag: when last-start-tag is not set { return failure; }
gloss: 31bfd2e4 = step: check parser-pause-flag;
gloss: 567941c9 = step: when parser-pause-flag is true { return to-caller; }
gloss: f5852eaf = drop-duplicate-attribute: discard attribute and its value;
gloss: da2a8575 = drop-duplicate-attribute: keep attribute current;
