dialect: sky
title: Sky parsing, tokenisation stage
file: sky.txt
form: text
from: Parsing
to: Token cleanup stage
sections: Token cleanup stage until the end of the document
granted: flag parsing-context = none | application | module by host;
// Sentences that explain, introduce or remind, by their hashes; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: 3a75338e 3259fd0b 4eedd955 b0785473 35e486e0 f923ded5 f12d249d 84cc70d7 482abbc7 c145632e d91267db ba27ff69
remarks: 1d4ca553 0e4309af 2195cffb c2d0859f

erratum: Tag open state
instead of: close tag state state
read: close tag state
why: The word "state" stands twice; the state is called "close tag state".
