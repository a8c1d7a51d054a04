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

erratum: StartAttributeValue tokenization mode
instead of: default handling them switch
read: default handling then switch
why: A letter is wrong.
