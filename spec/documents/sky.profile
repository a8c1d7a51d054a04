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

erratum: Tag open state
instead of: close tag state state
read: close tag state
why: The word "state" stands twice; the state is called "close tag state".

// Glosses: hashes of sentences that occur once, each with the steps that it stands for;
// `cargo xtask diff NAME --gloss LINE STEPS` adds one.
gloss: 0f697682 = piece context application failed-signature
gloss: 676bedb9 = piece expect "#!mojo mojo:sky" after-signature failed-signature
gloss: 7850dcfe = piece context module failed-signature
gloss: 14a1ee0d = piece expect "SKY MODULE" after-signature failed-signature
gloss: fabbd526 = expect-a-string: consume current-character;
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
gloss: ae836245 = normalise: pass characters to tokenisation-stage;
gloss: 3c9e6e22 = tokenise: for-each character { process character by state at this time; }
gloss: b717f6eb = tokenise: character is processed when consumed;
gloss: 36c98619 = tokenise: pass tokens to token-cleanup-stage;
gloss: 6512625d = expect-a-string: let expectation given string;
gloss: 11b19265 = expect-a-string: first character of expectation has index 0;
gloss: 8544fa01 = expect-a-string: assert expectation begins-with current-character; assert expectation has more than one character;
gloss: 7814d89a = expect-a-string: let index 1;
gloss: 6b5bc8a4 = expect-a-string: let success given state; let failure given state;
gloss: 85110797 = expect-a-string: switch expect-a-string;
gloss: 99abe178 = failed-signature: emit no tokens;
gloss: d6cef705 = failed-signature: file is not sky;
gloss: 6007d2ae = token-cleanup: for-each sequence of character-tokens { replace sequence by string-token of all character-tokens; }
gloss: 75aadcb6 = token-cleanup: for-each start-tag-token { remove attributes but first of each name; }
gloss: 87aadb47 = token-cleanup: for-each end-tag-token { remove attributes; }
gloss: 96b01d0f = token-cleanup: pass tokens to tree-construction-stage;
gloss: ea6ca9d1 = construct-tree: let open document;
gloss: cd95a86f = construct-tree: for-each token { }
gloss: d0de9b50 = construct-tree: when token is skipped { continue; }
gloss: cfe107db = open-node: let node last of open named token-name; return node;
gloss: 1050d01a = declare newlines normalized;
gloss: b50a9887 = declare newlines normalized;
gloss: 3057951b = declare nulls replaced;
gloss: 8ebd654a = start signature
gloss: 5a6f6538 = ends-at-last
gloss: 0675cd85 = current-is
gloss: b884fdba = piece expected
gloss: b95ab6f4 = piece expected
gloss: c1395066 = piece expected
gloss: 73206c63 = set temporary-buffer ""; append "&" to temporary-buffer;
