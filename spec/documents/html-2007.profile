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
// Labels whose rows the glosses below them state, and one that applies to all other rows.
remarks: 5a96275c bd110979
// The meanings of words of the table language: a new DOCTYPE, emitting a token.
remarks: 3043b9a3 5eb788b0

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

// Glosses: hashes of sentences that occur once, each with the steps or rows that it stands for;
// `cargo xtask diff NAME --gloss LINE STEPS` adds one.
gloss: cffd603b = if content-model-flag is rcdata or content-model-flag is cdata and escape-flag is false and preceded-by "<!-" { set escape-flag true; }
gloss: e9a51544 = if content-model-flag is rcdata or content-model-flag is cdata and escape-flag is true and preceded-by "--" { set escape-flag false; }
gloss: 02a08989 = state tag-open { '/' when content-model-flag is rcdata or content-model-flag is cdata => switch close-tag-open; '\0'..='\u{10FFFF}' | EOF when content-model-flag is rcdata or content-model-flag is cdata => emit '<'; switch data; reconsume; }
gloss: 984d2841 = covered
gloss: aa911b3b = class listed = '\t' | '\n' | '\x0B' | '\x0C' | ' ' | '>' | '/'; condition rcdata-or-cdata = content-model-flag is rcdata or content-model-flag is cdata; state close-tag-open { '\0'..='\u{10FFFF}' | EOF when rcdata-or-cdata and not last-start-tag-name-ahead before listed => emit '<'; emit '/'; switch data; reconsume; }
gloss: 058f7bb4 = covered
gloss: 7ee2d911 = covered
gloss: 94a0c0ea = covered
gloss: 7a15f65d = covered
gloss: fac64169 = covered
gloss: 6c3294e7 = covered
gloss: 2c782caa = covered
gloss: cf460301 = covered
gloss: 1af2755d = covered
gloss: cfa85b04 = when not permitted-slash { error unnamed; }
gloss: 85e085d6 = regardless { switch return-state; }
gloss: 5ba34739 = state bogus-comment { enter => create comment; '>' => emit comment; the-rest; EOF => emit comment; the-rest; reconsume; else => append current to comment; }
gloss: f62e4a70 = covered
gloss: d7648e79 = covered
gloss: 91dc8783 = covered
gloss: b94ad9fe = procedure consume-an-entity { state entity { labels => return nothing; } }
gloss: f6d5d5a7 = covered
gloss: 3ae45276 = start data
gloss: e21991bd = declare flag content-model-flag = pcdata | rcdata | cdata | plaintext by host and rows;
gloss: b10d0b6f = covered
gloss: 8c141a67 = declare flag escape-flag = false | true;
gloss: 3ce75692 = declare emitting end-tag => set content-model-flag pcdata;
gloss: bc601269 = declare names without-end-tag = "base" | "link" | "meta" | "hr" | "br" | "img" | "embed" | "param" | "area" | "col" | "input"; declare condition permitted-slash = followed-by '>' and tag is start-tag and tag-name in without-end-tag;
gloss: 52d2e77c = consume-next
gloss: 234d208e = procedure consume-an-entity { state hexadecimal-entity-start { '0'..='9' | 'a'..='f' | 'A'..='F' => set character-reference-code 0; switch hexadecimal-entity; reconsume; } }
gloss: 3a5f5b28 = covered
gloss: 902fbd9d = procedure consume-an-entity { state numeric-entity { labels | EOF => switch decimal-entity-start; reconsume; } state decimal-entity-start { '0'..='9' => set character-reference-code 0; switch decimal-entity; reconsume; } }
gloss: e21c340c = covered
gloss: da59687c = procedure consume-an-entity { state hexadecimal-entity { '0'..='9' | 'a'..='f' | 'A'..='F' => add-digit 16; } state decimal-entity { '0'..='9' => add-digit 10; } }
gloss: 42d26206 = covered
gloss: 9cb7a8ad = state hexadecimal-entity { ';' => switch numeric-entity-end; } state decimal-entity { ';' => switch numeric-entity-end; }
gloss: 32fd39b8 = state hexadecimal-entity { else | EOF => error unnamed; switch numeric-entity-end; reconsume; } state decimal-entity { else | EOF => error unnamed; switch numeric-entity-end; reconsume; }
gloss: b2c05f17 = covered
gloss: f8235566 = covered
gloss: c7ee4d3e = procedure consume-an-entity { state numeric-entity-end on character-reference-code { listed-number => error unnamed; return '\u{REPLACEMENT}'; } }
gloss: 849b9f1d = state numeric-entity-end { 0x0 | 0x110000.. | 0xD800..=0xDFFF => error unnamed; return '\u{FFFD}'; }
gloss: 17163fed = state numeric-entity-end { else => return character-reference-code; }
gloss: d0264136 = state entity { reference => when reference-ends-with ';' { return reference; } otherwise { error unnamed; when called-by entity-in-attribute-value and followed-by after-name { return nothing; } otherwise { return reference; } } }
gloss: 0706229d = state entity { else => error unnamed; return nothing; }
gloss: e05d5c78 = covered
gloss: 85857367 = class after-name = '0'..='9' | 'A'..='Z' | 'a'..='z';
gloss: 3e514bb7 = covered
gloss: 07c3d0d7 = state entity { labels => switch numeric-entity; }
gloss: 2b4d97c0 = procedure consume-an-entity { state numeric-entity { labels => switch hexadecimal-entity-start; } }
gloss: 01dd40b6 = state hexadecimal-entity-start { else | EOF => error unnamed; return nothing; } state decimal-entity-start { else | EOF => error unnamed; return nothing; }
gloss: 90f00d1d = covered
gloss: d9ebc527 = covered
gloss: b77b7171 = reconsume bogus-comment
