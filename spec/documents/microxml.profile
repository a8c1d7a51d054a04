dialect: microxml
title: Error recovery for MicroXML (2012-11-19)
file: microxml-er.md
form: markdown
granted: lexeme single-quote = '\'';
granted: lexeme double-quote = '"';
// Hashes of sentences that explain, introduce or remind; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 4486b4da 9ba26a49 ed486ebf 8c539074 d4348917 55eb2336 3c59f281 a5475884 7e656ae1 9884fd88 0b5ebc72 f5cc4372
remarks: b891e279 62ae1d48 8e6e40f1 dbc5b16d 2bc2cf79 f2b4a5f4 db866c02 fbe8fb2b 033a14d5 abcd42ad e67b605d 12023d56
// A meaning of a word of the table language: the attributes of a token.
remarks: a41db14c

// Abstract tokens, the data of lexical tokens and their default handling, which the rows of the modes include.
gloss: 53d4adda = covered
gloss: 779b776b = covered
gloss: 5e8f24f3 = covered
gloss: 2cc2be12 = covered
gloss: b9aea8d4 = covered
gloss: eefb869a = covered
gloss: ad4dfbd8 = covered
gloss: 8bf379a9 = covered
gloss: ea92b425 = covered
gloss: 7375324c = covered
gloss: c2906fbf = covered
gloss: 3d8ca498 = covered
gloss: 13373be8 = covered
gloss: c270fcb1 = covered
gloss: 7bdf1b5c = covered
gloss: 890ab121 = covered
gloss: 06910342 = covered
// Lexical tokens.
gloss: e559a229 = declare lexeme data-char = '\0'..='\u{10FFFF}';
gloss: c3b5f2af = declare lexeme comment-open = "<!--";
gloss: 7c3d24aa = declare lexeme comment-close = "-->";
gloss: af42fdcd = declare lexeme simple-start-tag = start-tag-open s* start-tag-close;
gloss: 7ca39fbd = declare lexeme simple-empty-element-tag = start-tag-open s* empty-element-tag-close;
gloss: 42115344 = declare lexeme start-tag-attribute = start-tag-open s+ attribute-name-equals;
gloss: 1672ef4a = declare lexeme start-tag-close = ">";
gloss: 5de94625 = declare lexeme empty-element-tag-close = "/>";
gloss: 78b912f7 = declare lexeme end-tag = "</" {name} s* ">";
gloss: 53a2b741 = declare lexeme start-tag-open = "<" {name};
gloss: e51e53f6 = declare lexeme attribute-name-equals = s* {name} s* "=";
gloss: d7c3b28e = declare lexeme name = name-start-char name-char*;
gloss: f2595d94 = declare lexeme name-start-char = (('A'..='Z' | 'a'..='z' | '_' | ':' | '$') | '\u{80}'..='\u{10FFFF}');
gloss: 4ffe169e = declare lexeme name-char = (name-start-char | '0'..='9' | "-" | ".");
gloss: a11eb128 = declare lexeme named-char-ref = "&" {name} ";";
gloss: a54ff3fd = declare lexeme numeric-char-ref = "&#x" {hex-number} ";";
gloss: f1f078ce = declare lexeme hex-number = ('0'..='9' | 'a'..='f' | 'A'..='F')+;
gloss: 028a8a26 = declare lexeme s = ('\t' | '\n' | '\x0C' | ' ');
// Modes. Three have a row in equal words, of which the meaning depends on the mode.
gloss: fa1509a2 = lexical-mode main (longest, else data-char) { data-char => emit current; named-char-ref (name) => when name is-reference { match-reference name; emit reference; } otherwise { emit lexeme; } numeric-char-ref (number) => gap; when number in-base 16 is-at-most 0x10FFFF { set character-reference-code number in-base 16; emit character-reference-code; } }
gloss: 1e67db0e = lexical-mode main { comment-open => switch comment; }
gloss: 6399fa56 = lexical-mode main { simple-start-tag (element) => create start-tag; append element to tag-name; emit tag; }
gloss: 7f7afb41 = lexical-mode main { simple-empty-element-tag (element) => create start-tag; append element to tag-name; set self-closing; emit tag; }
gloss: bb9dc62f = lexical-mode main { start-tag-attribute (element, attribute) => create start-tag; append element to tag-name; start-attribute; append attribute to attribute-name; switch start-attribute-value; }
gloss: 1d571b9a = lexical-mode main { end-tag (element) => create end-tag; append element to tag-name; emit tag; }
gloss: 77d189a3 = lexical-mode comment (longest, else data-char) { data-char => ignore; }
gloss: 14edacbe = lexical-mode comment { comment-close => switch main; }
gloss: 727fabe3 = lexical-mode start-attribute-value (longest, else data-char) { s => ignore; }
gloss: ef2cdcb0 = lexical-mode start-attribute-value { single-quote => switch single-quote-attribute-value; }
gloss: 627ace46 = lexical-mode start-attribute-value { double-quote => switch double-quote-attribute-value; }
gloss: 12a93ede = lexical-mode start-attribute-value { data-char => append current to attribute-value; switch unquote-attribute-value; named-char-ref (name) => when name is-reference { match-reference name; append reference to attribute-value; } otherwise { append lexeme to attribute-value; } switch unquote-attribute-value; numeric-char-ref (number) => gap; when number in-base 16 is-at-most 0x10FFFF { set character-reference-code number in-base 16; append character-reference-code to attribute-value; } switch unquote-attribute-value; }
gloss: 5d4cdc1a = lexical-mode start-attribute-value { start-tag-close => emit tag; switch main; empty-element-tag-close => set self-closing; emit tag; switch main; }
gloss: ce3ff48d = lexical-mode unquote-attribute-value (longest, else data-char) { data-char => append current to attribute-value; named-char-ref (name) => when name is-reference { match-reference name; append reference to attribute-value; } otherwise { append lexeme to attribute-value; } numeric-char-ref (number) => gap; when number in-base 16 is-at-most 0x10FFFF { set character-reference-code number in-base 16; append character-reference-code to attribute-value; } start-tag-close => emit tag; switch main; empty-element-tag-close => set self-closing; emit tag; switch main; }
gloss: ee8dc4eb = lexical-mode unquote-attribute-value { s => switch tag; }
gloss: 8b736929 = lexical-mode single-quote-attribute-value (longest, else data-char) { data-char => append current to attribute-value; named-char-ref (name) => when name is-reference { match-reference name; append reference to attribute-value; } otherwise { append lexeme to attribute-value; } numeric-char-ref (number) => gap; when number in-base 16 is-at-most 0x10FFFF { set character-reference-code number in-base 16; append character-reference-code to attribute-value; } }
gloss: 45747d4f = lexical-mode single-quote-attribute-value { single-quote => switch tag; }
gloss: 5e7246c6 = lexical-mode double-quote-attribute-value (longest, else data-char) { data-char => append current to attribute-value; named-char-ref (name) => when name is-reference { match-reference name; append reference to attribute-value; } otherwise { append lexeme to attribute-value; } numeric-char-ref (number) => gap; when number in-base 16 is-at-most 0x10FFFF { set character-reference-code number in-base 16; append character-reference-code to attribute-value; } }
gloss: 02ce52d2 = lexical-mode double-quote-attribute-value { double-quote => switch tag; }
gloss: 20561e00 = lexical-mode tag (longest, else data-char) { attribute-name-equals (attribute) => start-attribute; append attribute to attribute-name; switch start-attribute-value; }
gloss: 9b0fc0fa = lexical-mode tag { data-char => emit tag; emit current; switch main; }
// The tree.
gloss: 7f939f9f = mode tree-building { start => insert-element; character => append-text; } tree start tree-building;
gloss: ee3afa32 = mode tree-building { empty => append-element; }
gloss: 311037a6 = covered
gloss: 38000eed = covered
gloss: 8a25ffd1 = covered
gloss: dfa551ed = mode tree-building { end => when current is token-name { pop; } }
gloss: b5be763d = covered
gloss: 2a83203b = mode tree-building { EOF => gap; wrap-unless-single-element "unnamed"; stop; }

erratum: StartAttributeValue tokenization mode
instead of: default handling them switch
read: default handling then switch
why: A letter is wrong.
