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
// What the modes of scripting mean to a browser.
remarks: 3f82ee16 c4a4e2c4 a9e38a20 9fa41d42 65b197be eca9b358
