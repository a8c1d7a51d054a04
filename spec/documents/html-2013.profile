dialect: html-2013
title: HTML, 12.2.4 Tokenization (2013)
file: html-2013.txt
form: text
granted: references "html.references";
granted: flag adjusted-current-node = html | foreign by host;
// Sentences that explain, introduce or remind, by their hashes; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 3698ba4a 318d7e4e 40846016 ef0c7db0 95cd8191 6a8221c4 1a836b59 c0cff9b4 441f2272 3099263e ce5d1267 36e62abb
remarks: a6e43be0 0d5a4fc0 8da1bdef 9c989bc2 d139fae5 dc140e3f 802bb605 d6219743 5ed8ad75 fc255781 c07e9c5f
