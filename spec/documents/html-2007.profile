dialect: html-2007
title: HTML 5, Tokenisation (23 November 2007)
file: html-2007-11-23.html
form: html
from: Tokenisation
granted: references "html-2007.references";
