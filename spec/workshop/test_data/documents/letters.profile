dialect: letters
title: Letters, a description
file: letters.html
form: html
