dialect: webvtt
title: WebVTT, 6.4 WebVTT cue text parsing rules (14 May 2026)
file: webvtt-2026-05-14.bs
form: html
// The document defines the algorithms in paragraphs, without headings of their own.
heading: e743e1bf cue text
heading: 81ea07af tokenizer state
heading: 57efa7dd Character references
from: tokenizer state
to: WebVTT cue text DOM construction rules
sections: WebVTT cue text parsing rules until tokenizer state
granted: references "html.references";
granted: elements plain;
granted: token text { value }
granted: token classes { value }
granted: token timestamp { value, time }
granted: flag most-significant-units = minutes | hours;
// Definitions of the tree's objects.
remarks: 95afe7d7 b8415064 d2d4c14c d120fc1d 83566da5 e6a9bbd3 a024f4de 398fc0f9 de0ed39c 6cde49d5 977235c3 cb28fa49
remarks: 6a48cee6 36cd3360 ebf097b7 260fee3f 2ad8aa45 c27048d0 406fdc72 a0bd6d1b c17885d7 deaa458a 2b7f9939 fd6a7e5e
remarks: 90ed8d19
// Introductions to algorithms, lists and labels.
remarks: 67750900 4594abb6 938bdd7d 10b0f2e5 a265b4df e8cb71aa e4194cf1 380178d9 54e1b4f8
// The input, its position and the loop over tokens and characters, which every machine has.
remarks: 696e4b57 ac9e71a2 e10d0ad8 539e92d4 abc252dc 364f7a9d 963fa96b eaee5eaa a9e4c58a 344ef2e1 9f600744 cb2a4062
remarks: d0688a21 ef1bfd4a
// The stack of languages: the language is the annotation of an element.
remarks: 095d1fe4 c65832b7 368cb751
// Attaching an object, which is the action `insert-element`.
remarks: 8a327070 f3fd4ffd cf9e8756 354856d8 cfbd62f7
// The table collects a timestamp while it reads the tag, and declares it there.
remarks: b1cc145c
// References are read as the other standard describes.
remarks: 57efa7dd

// Glosses: hashes of sentences that occur once, each with the steps or rows that it stands for;
// `cargo xtask diff NAME --gloss LINE STEPS` adds one. `result` has the name of the field that it becomes; a token is created
// where the document first knows its kind.
gloss: 5c3e01ee = if token EOF { stop; }
gloss: fb8be68d = label: text
gloss: 651443ca = make append-text-node text-value;
gloss: 885d999f = append made;
gloss: afffc043 = insert-element;
gloss: a00b8840 = insert-element;
gloss: 1be3dffe = if not timestamp-time is "" { insert-element timestamp-time; pop; }
gloss: aadbeff4 = switch webvtt-data; reconsume;
gloss: 0e5a2031 = consume-next
gloss: 30fda251 = create text;
gloss: 7097cab5 = create classes; set classes-value "";
gloss: 91c436be = if text-value is "" { switch webvtt-tag; }
gloss: de66cb39 = otherwise { emit text; switch tokenizer; reconsume; }
gloss: d294a8d5 = emit text; switch tokenizer; reconsume;
gloss: f3da7738 = append current to text-value;
gloss: 522d2ff7 = if nothing { append '&' to text-value; }
gloss: d053dbd3 = otherwise { append returned to text-value; }
gloss: b022bba9 = create start-tag; switch webvtt-start-tag-annotation;
gloss: 0b771b78 = create start-tag; switch webvtt-start-tag-class;
gloss: dee7b9b5 = create end-tag; switch webvtt-end-tag;
gloss: e9541b4a = create timestamp; append current to timestamp-value; switch webvtt-timestamp-tag;
gloss: e2deb515 = create start-tag; emit tag; switch tokenizer; reconsume;
gloss: 11ab319a = create start-tag; append current to tag-name; switch webvtt-start-tag;
gloss: 019b7f5d = emit tag; switch tokenizer; reconsume;
gloss: b48a455a = append current to tag-name;
gloss: ed2653d3 = when not classes-value is "" or not temporary-buffer is "" { start-attribute; append "class" to attribute-name; append classes-value to attribute-value; append temporary-buffer to attribute-value; strip-and-collapse ' ' in attribute-value; } emit tag; switch tokenizer; reconsume;
gloss: 64e02e4e = strip-and-collapse annotation-whitespace in temporary-buffer; when not classes-value is "" { start-attribute; append "class" to attribute-name; append classes-value to attribute-value; strip-and-collapse ' ' in attribute-value; } start-attribute; append "annotation" to attribute-name; append temporary-buffer to attribute-value; emit tag; switch tokenizer; reconsume;
gloss: 34321928 = emit tag; switch tokenizer; reconsume;
gloss: f86bc999 = append current to tag-name;
gloss: 66e82a47 = emit timestamp; switch tokenizer; reconsume;
gloss: 76ed28a2 = append current to timestamp-value;
gloss: d410313b = if name "c" and current is "c" { pop; }
gloss: 219b4a29 = otherwise if name "i" and current is "i" { pop; }
gloss: a297ce17 = otherwise if name "b" and current is "b" { pop; }
gloss: 86983d8d = otherwise if name "u" and current is "u" { pop; }
gloss: 81816476 = otherwise if name "ruby" and current is "ruby" { pop; }
gloss: e77b1055 = otherwise if name "rt" and current is "rt" { pop; }
gloss: 66573ad0 = otherwise if name "v" and current is "v" { pop; }
gloss: 798c1b20 = otherwise if name "lang" and current is "lang" { pop; }
gloss: 9dddb125 = otherwise if name "ruby" and current is "rt" { pop; pop; }
gloss: 4305756c = label: timestamp
gloss: 4a59f94f = when not temporary-buffer is "" { append temporary-buffer to classes-value; append ' ' to classes-value; } set temporary-buffer ""; switch webvtt-start-tag-annotation;
gloss: 7cbfd5fd = when not temporary-buffer is "" { append temporary-buffer to classes-value; append ' ' to classes-value; } set temporary-buffer ""; append current to temporary-buffer; switch webvtt-start-tag-annotation;
gloss: 9edda0c5 = when not temporary-buffer is "" { append temporary-buffer to classes-value; append ' ' to classes-value; } set temporary-buffer "";
gloss: b17e9a92 = if current is "ruby" { insert-element; }
