dialect: html-2013
title: HTML, 12.2.4 Tokenization (2013)
file: html-2013.txt
form: text
granted: references "html.references";
granted: flag adjusted-current-node = html | foreign by host;
// Hashes of sentences that explain, introduce or remind; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 3698ba4a 318d7e4e 40846016 ef0c7db0 95cd8191 6a8221c4 1a836b59 c0cff9b4 441f2272 3099263e ce5d1267 36e62abb
remarks: a6e43be0 0d5a4fc0 8da1bdef 9c989bc2 d139fae5 dc140e3f 802bb605 d6219743 5ed8ad75 fc255781 c07e9c5f
// Pauses for scripts, which hosts run.
remarks: 31bfd2e4 567941c9

// Glosses: hashes of sentences that occur once, each with the steps that it stands for;
// `cargo xtask diff NAME --gloss LINE STEPS` adds one.
gloss: 71bb62f4 = regardless { switch-back; }
gloss: 441355d6 = bulk-comment from-cause '\0' '\u{FFFD}'
gloss: f62e4a70 = end-reached
gloss: 7c256766 = bulk "]]>"
gloss: 6aa0f220 = bulk-emit
gloss: 26de92d8 = piece defines character-reference
gloss: c054fe98 = piece identity
gloss: 24d598d3 = remark
gloss: cf48e648 = piece identity
gloss: 504f537e = create-doctype: let name missing; let public-identifier missing; let system-identifier missing; let force-quirks-flag off;
gloss: c921969e = create-tag: let self-closing-flag unset; let attributes empty;
gloss: 3043b9a3 = emit: handle token by tree-construction at-once;
gloss: 9aa83d4d = emit: when token is start-tag and self-closing-flag is set and not acknowledged { error; }
gloss: 16410a4d = appropriate-end-tag: when tag-name is name of last-start-tag { return match; }
gloss: 6b7ec12d = appropriate-end-tag: when last-start-tag is not set { return failure; }
gloss: f5852eaf = drop-duplicate-attribute: discard attribute and its value;
gloss: da2a8575 = drop-duplicate-attribute: keep attribute current;
gloss: 94555dfb = remark
gloss: 3ae45276 = start data
gloss: 1451b882 = piece digits 0x30..0x39 0x41..0x46 0x61..0x66
gloss: 3a5f5b28 = piece base 16
gloss: 8ee9a373 = piece digits 0x30..0x39
gloss: e21c340c = piece base 10
gloss: 06e28315 = piece collect
gloss: 42d26206 = piece no-digits
gloss: 9cb7a8ad = piece semicolon
gloss: 32fd39b8 = piece semicolon-missing unnamed
gloss: b2c05f17 = piece interpret
gloss: f8235566 = piece table-error
gloss: c7ee4d3e = piece table-replaces
gloss: 9ea5073e = piece out-of-range 0xD800..0xDFFF 0x110000..
gloss: 17163fed = piece return-code
gloss: 169afa15 = piece also-error 0x1..0x8 0xD..0x1F 0x7F..0x9F 0xFDD0..0xFDEF 0xB 0xFFFE 0xFFFF 0x1FFFE 0x1FFFF 0x2FFFE 0x2FFFF 0x3FFFE 0x3FFFF 0x4FFFE 0x4FFFF 0x5FFFE 0x5FFFF 0x6FFFE 0x6FFFF 0x7FFFE 0x7FFFF 0x8FFFE 0x8FFFF 0x9FFFE 0x9FFFF 0xAFFFE 0xAFFFF 0xBFFFE 0xBFFFF 0xCFFFE 0xCFFFF 0xDFFFE 0xDFFFF 0xEFFFE 0xEFFFF 0xFFFFE 0xFFFFF 0x10FFFE 0x10FFFF
gloss: 1f5c0bc0 = piece longest-name
gloss: 326b89b9 = piece no-name
gloss: f5954c81 = piece ambiguous
gloss: 2d7ccae7 = piece not-in-attribute 0x3D 0x30..0x39 0x41..0x5A 0x61..0x7A
gloss: fbb22e73 = piece equals-sign 0x3D
gloss: 93a03de5 = piece without-semicolon unnamed
