dialect: sky
title: Sky parsing, tokenisation stage
file: sky.txt
form: text
from: Normalisation stage
to: Token cleanup stage
sections: Token cleanup stage until the end of the document
granted: flag parsing-context = none | application | module by host;

erratum: Tag open state
instead of: close tag state state
read: close tag state
why: The word "state" stands twice; the state is called "close tag state".
