dialect: html-2013
title: HTML, 12.2.4 Tokenization (2013)
file: html-2013.txt
form: text
granted: references "html.references";
granted: flag adjusted-current-node = html | foreign by host;
