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
// Meanings of words of the table language: new tokens, appropriate end tags, duplicates.
remarks: 16410a4d 504f537e 6b7ec12d c921969e da2a8575 f5852eaf
// Meanings of words of the table language: emitting a token, and `unacknowledged self-closing`.
remarks: 3043b9a3 9aa83d4d

// Glosses: hashes of sentences that occur once, each with the steps or rows that it stands for;
// `cargo xtask diff NAME --gloss LINE STEPS` adds one.
gloss: 71bb62f4 = regardless { switch return-state; }
gloss: 441355d6 = state bogus-comment { enter => create comment; '>' => emit comment; the-rest; '\0' => append '\u{FFFD}' to comment; EOF => emit comment; the-rest; reconsume; else => append current to comment; }
gloss: f62e4a70 = covered
gloss: 7c256766 = covered
gloss: 6aa0f220 = state cdata-section { "]]>" => the-rest; EOF => the-rest; reconsume; else => emit current; }
gloss: 26de92d8 = covered
gloss: c054fe98 = covered
gloss: 24d598d3 = procedure consume-a-character-reference { state character-reference { labels => return nothing; } }
gloss: cf48e648 = covered
gloss: 94555dfb = remark
gloss: 3ae45276 = start data
gloss: 1451b882 = procedure consume-a-character-reference { state hexadecimal-character-reference-start { '0'..='9' | 'A'..='F' | 'a'..='f' => set character-reference-code 0; switch hexadecimal-character-reference; reconsume; } }
gloss: 3a5f5b28 = covered
gloss: 8ee9a373 = procedure consume-a-character-reference { state numeric-character-reference { labels | EOF => switch decimal-character-reference-start; reconsume; } state decimal-character-reference-start { '0'..='9' => set character-reference-code 0; switch decimal-character-reference; reconsume; } }
gloss: e21c340c = covered
gloss: 06e28315 = procedure consume-a-character-reference { state hexadecimal-character-reference { '0'..='9' | 'A'..='F' | 'a'..='f' => add-digit 16; } state decimal-character-reference { '0'..='9' => add-digit 10; } }
gloss: 42d26206 = covered
gloss: 9cb7a8ad = state hexadecimal-character-reference { ';' => switch numeric-character-reference-end; } state decimal-character-reference { ';' => switch numeric-character-reference-end; }
gloss: 32fd39b8 = state hexadecimal-character-reference { else | EOF => error unnamed; switch numeric-character-reference-end; reconsume; } state decimal-character-reference { else | EOF => error unnamed; switch numeric-character-reference-end; reconsume; }
gloss: b2c05f17 = covered
gloss: f8235566 = covered
gloss: c7ee4d3e = procedure consume-a-character-reference { state numeric-character-reference-end on character-reference-code { listed-number => error unnamed; return '\u{REPLACEMENT}'; } }
gloss: 9ea5073e = state numeric-character-reference-end { 0xD800..=0xDFFF | 0x110000.. => error unnamed; return '\u{FFFD}'; }
gloss: 17163fed = covered
gloss: 169afa15 = state numeric-character-reference-end { 0x1..=0x8 | 0xD..=0x1F | 0x7F..=0x9F | 0xFDD0..=0xFDEF | 0xB | 0xFFFE | 0xFFFF | 0x1FFFE | 0x1FFFF | 0x2FFFE | 0x2FFFF | 0x3FFFE | 0x3FFFF | 0x4FFFE | 0x4FFFF | 0x5FFFE | 0x5FFFF | 0x6FFFE | 0x6FFFF | 0x7FFFE | 0x7FFFF | 0x8FFFE | 0x8FFFF | 0x9FFFE | 0x9FFFF | 0xAFFFE | 0xAFFFF | 0xBFFFE | 0xBFFFF | 0xCFFFE | 0xCFFFF | 0xDFFFE | 0xDFFFF | 0xEFFFE | 0xEFFFF | 0xFFFFE | 0xFFFFF | 0x10FFFE | 0x10FFFF => error unnamed; return character-reference-code; else => return character-reference-code; }
gloss: 1f5c0bc0 = state character-reference { reference => when reference-ends-with ';' { return reference; } otherwise { when called-by character-reference-in-attribute-value { switch after-reference-without-semicolon-in-attribute; } otherwise { error unnamed; return reference; } } }
gloss: 326b89b9 = covered
gloss: f5954c81 = procedure consume-a-character-reference { state character-reference { '0'..='9' | 'A'..='Z' | 'a'..='z' => switch ambiguous-ampersand; else => return nothing; } state ambiguous-ampersand { '0'..='9' | 'A'..='Z' | 'a'..='z' => ignore; ';' => error unnamed; return nothing; else | EOF => return nothing; } }
gloss: 2d7ccae7 = class after-name = '=' | '0'..='9' | 'A'..='Z' | 'a'..='z';
gloss: fbb22e73 = procedure consume-a-character-reference { state after-reference-without-semicolon-in-attribute { '=' => error unnamed; return nothing; '0'..='9' | 'A'..='Z' | 'a'..='z' => return nothing; } }
gloss: 93a03de5 = state after-reference-without-semicolon-in-attribute { else | EOF => error unnamed; reconsume; return reference; }
gloss: 07c3d0d7 = state character-reference { labels => switch numeric-character-reference; }
gloss: 2b4d97c0 = procedure consume-a-character-reference { state numeric-character-reference { labels => switch hexadecimal-character-reference-start; } }
gloss: 01dd40b6 = state hexadecimal-character-reference-start { else | EOF => error unnamed; return nothing; } state decimal-character-reference-start { else | EOF => error unnamed; return nothing; }
gloss: 90f00d1d = covered
gloss: 95edc6cb = covered
gloss: f78d2194 = covered
gloss: 88c75795 = covered
gloss: b77b7171 = reconsume bogus-comment
