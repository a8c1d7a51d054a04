dialect: microxml
title: Error recovery for MicroXML (2012-11-19)
file: microxml-er.md
form: markdown
token: DataChar = emit {}; | append {} to attribute-value;
token: StartTagOpen = create start-tag; append {} to tag-name;
token: StartTagClose = emit tag;
token: EmptyElementTagClose = set self-closing; emit tag;
token: EndTag = create end-tag; append {} to tag-name; emit tag;
token: AttributeName = start-attribute; append {} to attribute-name;
granted: lexeme single-quote = '\'';
granted: lexeme double-quote = '"';
// Hashes of sentences that explain, introduce or remind; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 4486b4da 9ba26a49 ed486ebf 8c539074 d4348917 55eb2336 3c59f281 a5475884 7e656ae1 9884fd88 0b5ebc72 f5cc4372
remarks: b891e279 62ae1d48 8e6e40f1 dbc5b16d 2bc2cf79 f2b4a5f4 db866c02 fbe8fb2b 033a14d5 abcd42ad e67b605d 12023d56

erratum: StartAttributeValue tokenization mode
instead of: default handling them switch
read: default handling then switch
why: A letter is wrong.
