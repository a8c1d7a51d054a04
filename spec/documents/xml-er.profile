dialect: xml-er
title: XML-ER, 3.3 Tokenization (20 February 2012)
file: xml-er-2012.txt
form: text
from: 3.3 Tokenization
to: 3.4 Tree construction
sections: 3.1 Overview until 3.3 Tokenization
sections: 3.4 Tree construction until References
// Hashes of sentences that explain, introduce or remind; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 2d84ae78 fd2b0972 d92209a1 3ff9b757 da14cded c08f4487 3099263e 9849dae8 80a55cf2 0e4df092 31134dfe 3b12c826
remarks: fd2c152d 6d8bb28b 78f9c5b2 d002a844 6206cf01 2a02d173 0361768e 77caa995 e261689f 7b34900b abf83c3d 913b6050
remarks: 64b8b386 191dddad 5471c192

erratum: Tag attribute name before state
instead of: uU+003E
read: U+003E
why: A letter too much before the number of a character.

// Glosses: hashes of sentences that occur once, each with the steps or rows that it stands for;
// `cargo xtask diff NAME --gloss LINE STEPS` adds one.
gloss: 795b02d3 = covered
gloss: fcf683df = state doctype-bogus-comment { enter => create comment; '>' => emit comment; switch doctype-internal-subset; EOF => emit comment; switch doctype-internal-subset; reconsume; else => append current to comment; }
gloss: f609fd7e = state bogus-comment { enter => create comment; '>' => emit comment; switch data; EOF => emit comment; switch data; reconsume; else => append current to comment; }
gloss: c357a31a = insert-element to document;
gloss: 249616f8 = append-processing-instruction to document;
gloss: aea967ca = if not current is token-name { error unnamed; }
gloss: 6dcb8b54 = if open token-name { pop-until-token-name; }
gloss: ba424ad6 = append-processing-instruction;
gloss: 7560610e = current: let current last of open;
gloss: eb6cd285 = open: given target-element; when target-element is in open { return match; }
gloss: ef117833 = insert-element: let element create-element; append element to current; push element;
gloss: 3ae45276 = start data
gloss: 8a17fd30 = declare action append-an-entity { when entity-flag is parameter { append-entity parameter-entities; } otherwise { append-entity entities; } }
gloss: 48d7517c = declare flag entity-flag = normal | parameter;
gloss: 585d4a86 = covered
gloss: 226c6049 = append-to append-an-entity set entity-flag normal;
gloss: 776ad5c7 = declare text-nodes merged;
gloss: 9a15dbc2 = covered
