dialect: html-modes
title: HTML Living Standard, 13.2.6 Tree construction
file: html-2022-10-10.html
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
