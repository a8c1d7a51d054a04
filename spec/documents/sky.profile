dialect: sky
title: Sky parsing, tokenisation stage
file: sky.txt
form: text
from: Parsing
to: Token cleanup stage
sections: Token cleanup stage until the end of the document
granted: flag parsing-context = none | application | module by host;
// Hashes of sentences that explain, introduce or remind; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 3a75338e 3259fd0b 4eedd955 b0785473 35e486e0 f923ded5 f12d249d 84cc70d7 482abbc7 c145632e d91267db ba27ff69
remarks: 1d4ca553 0e4309af 2195cffb c2d0859f
// Descriptions of the stages of parsing.
remarks: 36c98619 3c9e6e22 99abe178 ae836245 b717f6eb cd95a86f d0de9b50 d6cef705 ea6ca9d1
// The procedure that states follow to expect a string.
remarks: f3892f71 11b19265 6512625d 6b5bc8a4 7814d89a 85110797 8544fa01
// Meanings of words of the table language: a `string`, and the attributes of a token. No row reads those of an end tag.
remarks: 6007d2ae 75aadcb6 87aadb47 96b01d0f

erratum: Tag open state
instead of: close tag state state
read: close tag state
why: The word "state" stands twice; the state is called "close tag state".

// Glosses: hashes of sentences that occur once, each with the steps or rows that it stands for;
// `cargo xtask diff NAME --gloss LINE STEPS` adds one.
gloss: 0f697682 = covered
gloss: 676bedb9 = state signature { labels when parsing-context is application => switch expect-a-string; } state expect-a-string { "!mojo mojo:sky" when parsing-context is application => switch after-signature; }
gloss: 7850dcfe = covered
gloss: 14a1ee0d = state signature { labels when parsing-context is module => switch expect-a-string; } state expect-a-string { "KY MODULE" when parsing-context is module => switch after-signature; }
gloss: 628d9ceb = if tag is start-tag and tag-name is "script" { switch script-raw-data; }
gloss: f1fb076b = if tag is start-tag and tag-name is "style" { switch style-raw-data; }
gloss: b9f5923d = when not character-reference-code is 0 { operation character-reference-code; } otherwise { operation '\u{FFFD}'; }
gloss: 37ee583f = make append-text;
gloss: de994544 = append made;
gloss: a95554fa = if token start { call-host notify-token-stream; }
gloss: b08c9755 = make append-element;
gloss: afffd1c3 = if not open token-name { ignore; }
gloss: 381d9287 = if above token-name "template" { ignore; }
gloss: 8b8c442a = pop-until-token-name;
gloss: 233b9238 = call-host load-event; stop;
gloss: cfe107db = open-node: let node last of open named token-name; return node;
gloss: 1050d01a = declare newlines normalized;
gloss: b50a9887 = declare newlines normalized;
gloss: 3057951b = declare nulls replaced;
gloss: 8ebd654a = start signature
gloss: 5a6f6538 = at-end { emit end-of-file; }
gloss: 0675cd85 = current-is
gloss: b884fdba = state expect-a-string { else => switch failed-signature; reconsume; EOF => emit end-of-file; }
gloss: b95ab6f4 = covered
gloss: c1395066 = covered
gloss: 73206c63 = set temporary-buffer ""; append "&" to temporary-buffer;
gloss: ad4cd415 = state signature { labels => switch failed-signature; reconsume; EOF => emit end-of-file; }
