dialect: html-2007
title: HTML 5, Tokenisation (23 November 2007)
file: html-2007-11-23.html
form: html
names: entities-2007-11-23.json
from: Tokenisation
granted: references "html-2007.references";
// Hashes of sentences that explain, introduce or remind; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 903e82bf 8731e32b d92209a1 6f333bd5 e65bea1d 8ecf0740 5c8094da 275d8325 3099263e 476da79e db824318 f9b44a26
remarks: 1c8dfdff 663eeab4 9c989bc2 1e84c060 371af112 dc140e3f 11e5e2f3 5ed8ad75
// Scripts that run between characters; hosts run them.
remarks: 77a29fb8 c939d416

erratum: Markup declaration open state
instead of: Otherwise, is is a
read: Otherwise, this is a
why: A misprint, which a later revision corrected.

erratum: Before DOCTYPE name state
instead of: name name to
read: name to
why: The word "name" stands twice.

erratum: After DOCTYPE name state
instead of: this is the <span>parse error
read: this is a <span>parse error
why: The article is wrong: no parse error was named before.

// Glosses: hashes of sentences that occur once, each with the steps that it stands for;
// `cargo xtask diff NAME --gloss LINE STEPS` adds one.
gloss: cffd603b = if content-model-flag is rcdata or content-model-flag is cdata and escape-flag is false and preceded-by "<!-" { set escape-flag true; }
gloss: e9a51544 = if content-model-flag is rcdata or content-model-flag is cdata and escape-flag is true and preceded-by "--" { set escape-flag false; }
gloss: 02a08989 = if it is '/' { switch close-tag-open; }
gloss: aa911b3b = piece unless-end-tag content-model-flag is rcdata or content-model-flag is cdata
gloss: cfa85b04 = when not permitted-slash { error unnamed; }
gloss: 85e085d6 = regardless { switch-back; }
gloss: 5ba34739 = bulk-comment from-cause
gloss: f62e4a70 = end-reached
gloss: d7648e79 = piece defines entity
gloss: 91dc8783 = piece identity
gloss: b94ad9fe = remark
gloss: f6d5d5a7 = piece identity
gloss: 5eb788b0 = create-doctype: let name missing; let public-identifier missing; let system-identifier missing; let correctness-flag correct;
gloss: 3043b9a3 = emit: handle token by tree-construction at-once;
gloss: 3ae45276 = start data
gloss: e21991bd = declare flag content-model-flag = pcdata | rcdata | cdata | plaintext by host and rows;
gloss: b10d0b6f = initial pcdata
gloss: 8c141a67 = declare flag escape-flag = false | true;
gloss: 3ce75692 = declare emitting end-tag => set content-model-flag pcdata;
gloss: bc601269 = declare names without-end-tag = "base" | "link" | "meta" | "hr" | "br" | "img" | "embed" | "param" | "area" | "col" | "input"; condition permitted-slash = followed-by '>' and tag is start-tag and tag-name in without-end-tag;
gloss: 52d2e77c = consume-next
gloss: 234d208e = piece digits 0x30..0x39 0x61..0x66 0x41..0x46
gloss: 3a5f5b28 = piece base 16
gloss: 902fbd9d = piece digits 0x30..0x39
gloss: e21c340c = piece base 10
gloss: da59687c = piece collect
gloss: 42d26206 = piece no-digits
gloss: 9cb7a8ad = piece semicolon
gloss: 32fd39b8 = piece semicolon-missing unnamed
gloss: b2c05f17 = piece interpret
gloss: f8235566 = piece table-error
gloss: c7ee4d3e = piece table-replaces
gloss: 849b9f1d = piece out-of-range 0x0 0x110000.. 0xD800..0xDFFF => 0xFFFD
gloss: 17163fed = piece return-code
gloss: d0264136 = piece longest-name
gloss: 0706229d = piece no-name error
gloss: e05d5c78 = piece without-semicolon unnamed
gloss: 85857367 = piece not-in-attribute 0x30..0x39 0x41..0x5A 0x61..0x7A
gloss: 3e514bb7 = piece return-name
