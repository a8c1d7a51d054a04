dialect: xml-er
title: XML-ER, 3.3 Tokenization (20 February 2012)
file: xml-er-2012.txt
form: text
from: 3.3 Tokenization
to: 3.4 Tree construction
sections: 3.4 Tree construction until References

erratum: Tag attribute name before state
instead of: uU+003E
read: U+003E
why: A letter too much before the number of a character.
