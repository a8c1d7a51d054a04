dialect: html-2007
title: HTML 5, Tokenisation (23 November 2007)
file: html-2007-11-23.html
form: html
names: entities-2007-11-23.json
from: Tokenisation
granted: references "html-2007.references";

erratum: Markup declaration open state
instead of: Otherwise, is is a
read: Otherwise, this is a
why: A misprint, which a later revision corrected.

erratum: Before DOCTYPE name state
instead of: name name to
read: name to
why: The word "name" stands twice.

erratum: After DOCTYPE name state
instead of: this is the <span>parse error
read: this is a <span>parse error
why: The article is wrong: no parse error was named before.
