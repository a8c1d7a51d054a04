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
// Hashes of sentences that explain, remind or give a reason; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 56375c5d b3325fdb 6456478e fe602a3b d3fda6c6 e663e14a c1e0ed98 0dd12acf 44509acc 4592a581 3b00b51c 6e9e3a50
remarks: 9b6574fd a301218a 2f671a80 c3826ddb 7216a4ab 076191e4 47ebd0f7 b048d853 55355219 12da5a37 30e77388
remarks: 3698ba4a be3817b9 40846016 ef0c7db0 95cd8191 e498811b 1a836b59 c0cff9b4 441f2272 3099263e ce5d1267 36e62abb
remarks: 8da1bdef c9a64ff8
// Such sentences in texts of other dates, which `cargo xtask diff --history` reads.
remarks of another date: 12cb1a12 3143b083 3d0c6ff9 78c4bb62 cf84d287
remarks of another date: 9c989bc2 802bb605 d62b7ebf 983631c8 4588d5e0 2f8a45c5
// Permissions to stop at an error, and pauses for scripts, which hosts run.
remarks: 03dc65d5 0e6dcbdb 31bfd2e4 567941c9 756ec4d5 d33b7b89 ef0ece62
// Definitions of the input stream, to which hosts write, and the encodings that a decoder must support.
remarks: 0e19b29b 1c61e6d8 20865076 2c3add6b 4306bd24 4740f83b 5e03fe29 7d5a629f 8ec7413a a371d4b1 b563bc04 b6b3678c
remarks: b7bff4e0 b991921f de86c979 efdd9e7d fa31f423 ff074c62
// Choices left to user agents while the encoding is sniffed, and the navigation that reads a document again.
remarks: 0998ef2c 2931694b 300b0d84 36f62624 37026757 46b05b99 46e19938 503575f5 50ae8a09 6a7a06cf 6c37ed8f 7db020a1
remarks: 7fe04821 9312d3ff a4f6774b af255d07 b9b1a200 d17602a3 d2111b47 d730f271 373cb74a f43771dd e1dc80ca 96eb8960
remarks: 6514ad13
// Meanings of words of the table language: new tokens, appropriate end tags, duplicates, reconsuming.
remarks: 16410a4d 504f537e 6b7ec12d 8722805e c921969e da2a8575 f5852eaf
// The meaning of a word of the table language: emitting a token.
remarks: 3043b9a3

// Glosses: hashes of sentences that occur once, each with the steps or rows that it stands for;
// `cargo xtask diff NAME --gloss LINE STEPS` adds one.
// The first clauses repeat what the algorithms of the prescan look for, whose steps are compared with those of the table.
gloss: c80c4457 = encodings: element "meta"; pragma "http-equiv" => "content-type"; label "charset"; xml-declaration "xml" => "encoding"; read-as "UTF-16BE" | "UTF-16LE" => "UTF-8"; read-as "x-user-defined" => "windows-1252"; sniff "byte-order-mark" => "certain"
gloss: 32d2a2fe = encodings: sniff "override" => "certain"
gloss: 7a3e53c0 = encodings: sniff "transport" => "certain"
gloss: 637cc678 = encodings: sniff "prescan" => "tentative"
gloss: 412db509 = encodings: sniff "parent" => "tentative"; not-inherited "UTF-16BE"; not-inherited "UTF-16LE"
gloss: 52e12e99 = encodings: sniff "likely" => "tentative"
gloss: dfe7c29f = encodings: sniff "detected" => "tentative"
gloss: 22bd7f4c = encodings: not-changed "UTF-16BE"; not-changed "UTF-16LE"
gloss: 2ff2ca13 = encodings: read-as "UTF-16BE" | "UTF-16LE" => "UTF-8"
gloss: b621d679 = encodings: read-as "x-user-defined" => "windows-1252"
gloss: 0b812cdd = ;
gloss: 7933d3c3 = branch-if temporary-buffer is "xml" ignoring-case or temporary-buffer is "xml-stylesheet" ignoring-case
gloss: cbc92585 = branch
gloss: 12513067 = class after-name = '=' | '0'..='9' | 'A'..='Z' | 'a'..='z'; state named-character-reference { labels => append matched to temporary-buffer; when consumed-as-part-of-an-attribute and not reference-ends-with ';' and followed-by after-name { flush-code-points-consumed-as-a-character-reference; switch return-state; } otherwise { the-rest; } }
gloss: f269d349 = when not reference-ends-with ';' { error missing-semicolon-after-character-reference; }
gloss: 11d6908e = state numeric-character-reference-end { 0x0 => error null-character-reference; set character-reference-code 0xFFFD; the-rest; }
gloss: ff7c4ff8 = state numeric-character-reference-end { 0x110000.. => error character-reference-outside-unicode-range; set character-reference-code 0xFFFD; the-rest; }
gloss: dbe4e4f8 = state numeric-character-reference-end { 0xD800..=0xDFFF => error surrogate-character-reference; set character-reference-code 0xFFFD; the-rest; }
gloss: 120b8d54 = state numeric-character-reference-end { 0xFDD0..=0xFDEF | 0xFFFE..=0xFFFF | 0x1FFFE..=0x1FFFF | 0x2FFFE..=0x2FFFF | 0x3FFFE..=0x3FFFF | 0x4FFFE..=0x4FFFF | 0x5FFFE..=0x5FFFF | 0x6FFFE..=0x6FFFF | 0x7FFFE..=0x7FFFF | 0x8FFFE..=0x8FFFF | 0x9FFFE..=0x9FFFF | 0xAFFFE..=0xAFFFF | 0xBFFFE..=0xBFFFF | 0xCFFFE..=0xCFFFF | 0xDFFFE..=0xDFFFF | 0xEFFFE..=0xEFFFF | 0xFFFFE..=0xFFFFF | 0x10FFFE..=0x10FFFF => error noncharacter-character-reference; the-rest; }
gloss: e8cb86f5 = state numeric-character-reference-end { 0xD | 0x0..=0x8 | 0xB | 0xE..=0x1F | 0x7F..=0x9F => error control-character-reference; the-rest; else => the-rest; }
gloss: 4ab2e2f7 = state numeric-character-reference-end on character-reference-code { listed-number => error control-character-reference; set character-reference-code 0xREPLACEMENT; the-rest; }
gloss: 89d63e90 = declare unacknowledged self-closing => error non-void-html-element-start-tag-with-trailing-solidus;
gloss: 53f3f561 = given: when bytes end { return get-xml-encoding; }
gloss: 35031114 = given: returns encoding
gloss: bc98e867 = let position first;;
gloss: 86d1c3a7 = advance position to next '>' after '-' then '-';;
gloss: 41c6dcf7 = advance overlaps '-' then '-'
gloss: 3509223a = advance position to next '\t' or '\n' or '\x0C' or '\r' or ' ' or '/';;
gloss: 055fd27e = let attribute-list empty;;
gloss: 31286adc = let charset none;;
gloss: e5cb114f = at attributes; let attribute get-attribute;;
gloss: 26f6d373 = choose { }
gloss: 367ecb3c = let found extract-encoding value of attribute;;
gloss: 774baad1 = when found is encoding and charset is none { let charset found; let need-pragma true; }
gloss: 3a335170 = when '<' then optional '/' then from 'A' to 'Z' or from 'a' to 'z'
gloss: dee46230 = advance position to next '\t' or '\n' or '\x0C' or '\r' or ' ' or '>';;
gloss: 0d050ce0 = repeat get-attribute until none; go next-byte;;
gloss: 1b839b09 = advance position to next '>';;
gloss: fd1e6adc = skip;;
gloss: 1cd0feca = at next-byte; advance position; go loop;;
gloss: d1d06cfc = prescan-encoding: assert no other result
gloss: 171b63e2 = attribute-name begins at position
gloss: b25f2684 = when '=' and attribute-name is not ""
gloss: ff42dd80 = append byte at position lower to attribute-name;;
gloss: a70a7283 = to lower-case
gloss: 59f07a7e = append byte at position to attribute-name;;
gloss: 4138ed88 = others as-they-are
gloss: fcc0b55b = advance position; go previous;;
gloss: a4f67fdc = when byte at position is b { advance position; leave; }
gloss: ce2296fe = otherwise when byte at position is from 'A' to 'Z' { append byte at position lower to attribute-value; }
gloss: 07a05c81 = otherwise { append byte at position to attribute-value; }
gloss: dbc0db9c = append byte at position lower to attribute-value;;
gloss: 43478f36 = append byte at position to attribute-value;;
gloss: cac11a4d = let encoding-position first;;
gloss: f3e742b6 = when encoding-position not at <<'<' then '?' then 'x' then 'm' then 'l'|exactly "<?xml">> { return failure; }
gloss: d5489950 = let xml-declaration-end next '>';;
gloss: de8e69dd = when there is none { return failure; }
gloss: da572bf0 = let encoding-position first <<'e' then 'n' then 'c' then 'o' then 'd' then 'i' then 'n' then 'g'|exactly "encoding">> at-or-after encoding-position before xml-declaration-end;;
gloss: b9a971c2 = when there is none { return failure; }
gloss: 510a4ccb = while byte at encoding-position at-most ' ' { advance encoding-position; }
gloss: 0856203e = let encoding-end-position next quote-mark at-or-after encoding-position;;
gloss: fe5ef789 = let potential-encoding bytes from encoding-position until encoding-end-position;;
gloss: a06078d1 = when potential-encoding has at-most ' ' { return failure; }
gloss: 404b9f88 = let encoding encoding-of isomorphic-decoded potential-encoding;;
gloss: 5a0b256d = serializes-as-void: when element is void or html "basefont" or html "bgsound" or html "frame" or html "keygen" or html "param" { return match; }
gloss: 8dda258f = given: given element or document or fragment the-node; given boolean serializable-shadow-roots; given list shadow-roots; returns string
gloss: 6c71f23c = let s "";;
gloss: d2da346b = when any { }
gloss: e87884f1 = let should-append-registry-attribute result { }
gloss: 9a8902e0 = for-each child of the-node in-tree-order { }
gloss: eec184b0 = choose for s { }
gloss: abaa9bd5 = when namespace of current-node is html or mathml or svg { let tagname local-name of current-node; }
gloss: c1862d45 = for-each attribute of current-node { append ' '; append serialized-name attribute; append "=\""; append escape value of attribute in attribute-mode; append '"'; }
gloss: 9e1bd628 = assert order of attributes is stable
gloss: e3e55103 = when current-node serializes-as-void { continue; }
gloss: ad5ee166 = when parent of current-node is html "style" or html "script" or html "xmp" or html "iframe" or html "noembed" or html "noframes" or html "plaintext" or parent of current-node is html "noscript" and scripting is enabled for current-node { append data of current-node; }
gloss: d8f9f4a7 = when namespace of attribute is none
gloss: 487b5dc8 = when namespace of attribute is xmlns and local-name of attribute is "xmlns"
gloss: 49b57ec1 = when namespace of attribute is xmlns and local-name of attribute is not "xmlns"
gloss: 6dae03db = otherwise
gloss: 3ae45276 = start data
gloss: e1024b0e = declare condition consumed-as-part-of-an-attribute = return-state is attribute-value-double-quoted or return-state is attribute-value-single-quoted or return-state is attribute-value-unquoted;
gloss: f19ce7b3 = declare action flush-code-points-consumed-as-a-character-reference { when consumed-as-part-of-an-attribute { append temporary-buffer to attribute-value; } otherwise { emit temporary-buffer; } }
gloss: 80042a76 = declare action convert-the-temporary-buffer-to-a-comment { create comment; append '?' to comment; append temporary-buffer to comment; }
gloss: 36e6ea8c = current-is
gloss: 85006e9d = covered
gloss: a53bddeb = covered
gloss: d5b2cafe = covered
gloss: ed5a936a = algorithm prescan-encoding:
gloss: 3722b929 = algorithm get-attribute:
gloss: 5ce2acf5 = give attribute-name with attribute-value
gloss: 2979c4fe = algorithm get-xml-encoding:
gloss: f54ce603 = algorithm serialize:
gloss: e133708a = algorithm serialized-name { }
gloss: 00f4ffc2 = algorithm escape:
// Glosses of sentences that only texts of other dates have, which `cargo xtask diff --history` reads.
gloss of another date: 07ccbdcb = append serialize current-node; append '<'; append '/'; append tagname; append '>'
gloss of another date: 4610c872 = for-each attribute of current-node { append ' '; append serialized-name attribute; append '='; append '"'; append escape value of attribute in attribute-mode; append '"'; }
gloss of another date: 54d15292 = given: given element or document or fragment the-node; returns string
gloss of another date: 65399870 = declare condition consumed-as-part-of-an-attribute = return-state is attribute-value-double-quoted or return-state is attribute-value-single-quoted or return-state is attribute-value-unquoted;
gloss of another date: 7627ae74 = let encoding-position first <<'e' then 'n' then 'c' then 'o' then 'd' then 'i' then 'n' then 'g'|exactly "encoding">> at-or-after encoding-position;;
gloss of another date: 7be440f4 = serializes-as-void: when element is void or html "basefont" or html "bgsound" or html "frame" or html "keygen" { return match; }
gloss of another date: b660a37a = append <<'<' then '?'|exactly "<?">>; append target of current-node; append ' '; append data of current-node; append '>'
gloss of another date: eb64d640 = declare action flush-code-points-consumed-as-a-character-reference { when consumed-as-part-of-an-attribute { append temporary-buffer to attribute-value; } otherwise { emit temporary-buffer; } }
gloss of another date: f6f6589d = when mode is not attribute { replace '<' by "&lt;"; replace '>' by "&gt;"; }
gloss: a473f6e7 = state named-character-reference { labels | EOF => the-rest; switch ambiguous-ampersand; reconsume; }
gloss: 568261a0 = covered
