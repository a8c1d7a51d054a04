dialect: html
title: HTML Living Standard, 13.2.5 Tokenization
file: html-2026-10-03.html
form: html
from: 13.2.5 Tokenization
to: 13.2.6 Tree construction
granted: references "html.references";
granted: flag adjusted-current-node = html | foreign by host;
