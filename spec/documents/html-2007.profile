dialect: html-2007
title: HTML 5, Tokenisation (23 November 2007)
file: html-2007-11-23.html
form: html
names: entities-2007-11-23.json
from: Tokenisation
granted: references "html-2007.references";
// Sentences that explain, introduce or remind, by their hashes; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 903e82bf 8731e32b d92209a1 6f333bd5 e65bea1d 8ecf0740 5c8094da 275d8325 3099263e 476da79e db824318 f9b44a26
remarks: 1c8dfdff 663eeab4 9c989bc2 1e84c060 371af112 dc140e3f 11e5e2f3 5ed8ad75

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

// Sentences that occur once, by their hashes, each with the steps that it stands for; `cargo xtask diff NAME --gloss LINE STEPS`
// adds one.
gloss: 5eb788b0 = create-doctype: let name missing; let public-identifier missing; let system-identifier missing; let correctness-flag correct;
gloss: 3043b9a3 = emit: handle token by tree-construction at-once;
gloss: c939d416 = step: check scripts-that-will-execute or leave it;
gloss: 77a29fb8 = step: when script is loaded { execute script; remove script from its list; }
