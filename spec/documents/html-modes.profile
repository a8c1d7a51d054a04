dialect: html-modes
title: HTML Living Standard, 13.2.6 Tree construction
file: html-2026-10-03.html
form: html
table: html.modes
sections: 13.2.4.1 The insertion mode until 13.2.5 Tokenization
sections: 13.2.6 Tree construction until 13.2.7 The end
sections: 13.4 Parsing HTML fragments until 13.5 Named character references
granted: elements html;
granted: class ascii-whitespace = '\t' | '\n' | '\x0C' | '\r' | ' ';
granted: pointers head, form, that-element;
granted: tree flag iframe-srcdoc = no | yes by host;
granted: tree flag insertion-mode = initial | in-table | in-caption | in-table-body | in-row | in-cell by host;
granted: tree flag above-current = other | optgroup by host;
granted: tree flag table-above = no | yes by host;
granted: tree condition shadowrootmode-is-in-none-state = not token-attribute "shadowrootmode" is "open" and not token-attribute "shadowrootmode" is "closed";
granted: names shadow-host = "article" | "aside" | "blockquote" | "body" | "div" | "footer" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "main" | "nav" | "p" | "section" | "span";
granted: names reserved-name = "annotation-xml" | "color-profile" | "font-face" | "font-face-src" | "font-face-uri" | "font-face-format" | "font-face-name" | "missing-glyph";
// Sentences that explain, remind or name a case, by their hashes; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: bc6decd2 8a82a878 988e4a8a f0da5ea0 2409c3f5 f76d4d34 21581521 d80796d8 f46646d5 126e86be 4e21147b ebd8da73
remarks: 62f79103 814c5679 86d6c68e e71250fe 8ec489f9 39b92b47 0d358236 fa7039a4 4b57c557 ddedd275 7b41a205 fea1b079
remarks: b180d84d 381cda6d 3b12c826 cdb005b0 927ba95d 32774a70 b1a7f20d 5d2d8ba8 4b34bca0 c8620c18 c307f79a 0504b975
remarks: a7e1ab18 7be4fef3 c7af8cb5 2b170b2d e5eed9ee a1e71ac2 37480f47 94a2889e d8619f3b 18f83ede 4de19b41 c6db0be9
remarks: 107a0aca a722fa7a ea3cc970 4545f1c3 eb8220ea 9eb16db2 f667ff39 3f82ee16 c4a4e2c4 a9e38a20 9fa41d42 65b197be
remarks: eca9b358
// The same of texts of other dates, which `cargo xtask diff --history` reads.
remarks: 10613b8b 74cf4c9b e982cfb1
