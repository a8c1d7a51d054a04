dialect: html-modes
title: HTML Living Standard, 13.2.6 Tree construction
file: html-2026-10-03.html
form: html
table: html.modes
sections: 13.2.4.1 The insertion mode until 13.2.5 Tokenization
sections: 13.2.6 Tree construction until 13.2.7 The end
sections: 13.4 Parsing HTML fragments until 13.5 Named character references
beside: template-in-head
granted: elements html;
granted: class ascii-whitespace = '\t' | '\n' | '\x0C' | '\r' | ' ';
granted: pointers head, form, that-element;
granted: tree flag iframe-srcdoc = no | yes by host;
granted: tree flag insertion-mode = initial | in-table | in-caption | in-table-body | in-row | in-cell by host;
granted: tree flag above-current = other | optgroup by host;
granted: tree flag table-above = no | yes by host;
granted: tree condition shadowrootmode-is-in-none-state = not token-attribute "shadowrootmode" is "open" and not token-attribute "shadowrootmode" is "closed";
granted: names shadow-host = "article" | "aside" | "blockquote" | "body" | "div" | "footer" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "main" | "nav" | "p" | "section" | "span";
granted: names reserved-name = "annotation-xml" | "color-profile" | "font-face" | "font-face-src" | "font-face-uri" | "font-face-format" | "font-face-name" | "missing-glyph";
// Hashes of sentences that explain, remind or name a case; `cargo xtask diff --ledger FILE --remarks` shows them.
remarks: bc6decd2 8a82a878 988e4a8a f0da5ea0 2409c3f5 f76d4d34 21581521 d80796d8 f46646d5 126e86be 4e21147b ebd8da73
remarks: 62f79103 814c5679 86d6c68e e71250fe 8ec489f9 39b92b47 0d358236 fa7039a4 4b57c557 ddedd275 7b41a205 fea1b079
remarks: b180d84d 381cda6d 3b12c826 cdb005b0 927ba95d 32774a70 b1a7f20d 5d2d8ba8 4b34bca0 c8620c18 c307f79a 0504b975
remarks: a7e1ab18 7be4fef3 c7af8cb5 2b170b2d e5eed9ee a1e71ac2 37480f47 94a2889e d8619f3b 18f83ede 4de19b41 c6db0be9
remarks: 107a0aca a722fa7a ea3cc970 4545f1c3 eb8220ea 9eb16db2 f667ff39 3f82ee16 c4a4e2c4 a9e38a20 9fa41d42 65b197be
remarks: eca9b358 dfec80d0 503541ae 6ac1def3
// Such sentences in texts of other dates, which `cargo xtask diff --history` reads.
remarks of another date: 10613b8b 74cf4c9b e982cfb1 57f41a63 6415c9ab 123d8b24
// In these texts: no script defines custom elements, and no speculative parser goes ahead.
remarks of another date: 6fc91e93 e89e588b a3668929 34d5922c aaa1378a 3b5d4727 fc00b701 9192f1e6
// In these texts: nothing pops up, and controls have no state and no form owner.
remarks of another date: 136c1777 4bb6d9c5 d6844d33 3d82561f fd5b00ce b0b41539 31f8489b 3dc83811
// Steps on scripts, which hosts run.
remarks: 00ca5632 13a49ad4 1501b37a 270145ef 424f2d7e 42c069fc 49a4c246 535cb845 5f3b8319 612b42c9 6ac0fe92 80ceb931
remarks: 83f0e442 8a2b1bcd a2ebc49f a57f6881 a94ca432 acbc0584 af21e1e7 c04635a5 c404f8ba c70f1758 c79107f5 cb85df25
remarks: dafe28ed e7a3a508 e8e3b5b4 ed90a842 eef01160 f3ae33b7
// Links and scripting modes of browsers.
remarks: 58de2772 bfce9925 27433487 7889e7fd b36da391 b6255d76 e8d048bd
// Definitions and initial values that rows, declarations and algorithms imply.
remarks: 22516736 321f1803 33cb8b01 395b16f6 3fd02a3d 5cfa6c09 6a5ee850 ad4e971c b340b07c d36d10f1 d8d9b759 e8d50c22
remarks: ee7704b1 f92ccb86

// Glosses: hashes of sentences that occur once, each with the steps or rows that it stands for;
// `cargo xtask diff NAME --gloss LINE STEPS` adds one.
gloss: c4a23f0a = using in-foreign-content;
gloss: a4722ebe = declare doctypes nonconforming = not name "html" | not public missing | not system missing and not system "about:legacy-compat"; if doctype in nonconforming { error unnamed; }
gloss: 3c635889 = append-doctype: let doctype doctype document name of doctype or "" public-identifier of doctype or "" system-identifier of doctype or "";
gloss: 19de8ff7 = append-doctype: when document has no doctype-child and document has no element-child { append doctype to document; }
gloss: 19de8ff7 = if always { append-doctype; }
gloss: 53783a77 = ;
gloss: 96de8188 = put;
gloss: 25acd3ff = create "html";
gloss: 3577af6e = ;
gloss: 2e9853f0 = call-host encoding-declaration;
gloss: 2aa7c33c = call-host encoding-declaration;
gloss: 54f2f016 = rcdata;
gloss: 02822ea8 = raw-text;
gloss: 75d3a4c5 = if not shadowrootmode-is-in-none-state { }
gloss: 666b6338 = generate-end-tags thoroughly-implied;
gloss: 0303be96 = let template last "template" of open;
gloss: 0303be96 = begins: finish-patching "template"
gloss: f2de906e = otherwise { merge-attributes root; }
gloss: 80ebce17 = ;
gloss: 1ee9f3e9 = otherwise { set frameset-ok not-ok; merge-attributes second; }
gloss: 8bbf6e60 = clear-back-to "html";
gloss: 6a1ffe78 = if has-template-mode { using in-template; }
gloss: c02c644f = insert-element; when not parsing-template-contents { point form; }
// The table language can name the node only by the pointer, so the pointer is unset at the end.
gloss: c3236dcd = finally unset form;
gloss: 56fd8ad0 = remove-pointed form;
gloss: 18ceadde = generate-end-tags implied except token-name;
gloss: 831830d5 = if not in-scope default ⟨"h1" | "h2" | "h3" | "h4" | "h5" | "h6"⟩ { error unnamed; ignore; return; }
gloss: 589e7d75 = any-other-end-tag;
gloss: bd7b2176 = if formatting-has ⟨"a"⟩ { error unnamed; point that-element to-formatting "a"; adoption-agency default special unnamed any-other-end-tag; remove-pointed that-element; unset that-element; }
gloss: 7c7d5578 = if not document-mode is quirks and in-scope button ⟨"p"⟩ { close-p; }
gloss: 63d4d55b = reconstruct-formatting; insert-element "br"; pop; set frameset-ok not-ok;
gloss: 25205066 = if self-closing { pop; acknowledge-self-closing; }
gloss: 4aa65a18 = if not current is token-name { error unnamed; }
gloss: 10b10467 = pop-until-token-name; return;
gloss: 109f5afe = otherwise { error unnamed; ignore; return; }
gloss: 86875bda = pop;
gloss: cf3248bc = if always { call-host script; }
gloss: c00b8155 = if pending-other-than ascii-whitespace { error unnamed; process-pending in-table; }
gloss: 431b3647 = if fragment { error unnamed; ignore; return; }
gloss: 1939fc39 = if not fragment and not current is ⟨"frameset"⟩ { switch after-frameset; }
gloss: dcfd6f13 = leave-foreign-content mathml-text-integration-point;
gloss: 054c03b7 = using insertion-mode;
gloss: e15633fb = if adjusted-current in svg { adjust-tag-name svg-tag-names; }
gloss: 52cb1166 = if always { call-host script; }
gloss: f395e78c = if not current is token-name-ignoring-case { error unnamed; }
gloss: 14120d9a = if current is "html" { return; }
gloss: 8eb42422 = if foreign-open token-name { pop-until-foreign-token-name; return; }
gloss: 3c1e2e41 = ;
gloss: fdc4b45a = using insertion-mode;
gloss: e7fc790e = let last false;
gloss: 34607eae = let node last of open;
gloss: 6795dd0b = at loop; when node is first of open { let last true; when fragment-context-element of parser is not none { let node fragment-context-element of parser; } }
gloss: 191eaa81 = let node above node;
gloss: 7b346075 = current: let current last of open;
gloss: 255c0db9 = adjusted-current: when fragment and open has one element { let adjusted-current context; } otherwise { let adjusted-current current; }
gloss: f360c81a = algorithm in-scope: given target-node; given list;
gloss: c45ccb08 = otherwise when node is in list { return failure; }
gloss: 2cf2aab6 = otherwise { let node above node; go step-2; }
gloss: 91e0e674 = algorithm push-formatting: given element element;
gloss: 0ac3d765 = declare limit alike-formatting 3; when alike-formatting in formatting after last-marker are alike element { remove earliest alike from formatting; }
gloss: 6c0abcfc = alike by names namespaces values of parsed attributes in any order;
gloss: a8aead1b = when formatting is empty { return; }
gloss: 168abf75 = when last of formatting is marker or last of formatting is in open { return; }
gloss: 8edc715f = let entry last of formatting;
gloss: b7b27bd0 = at rewind; when entry is first of formatting { go create; }
gloss: ad71d5fa = when entry is not marker and entry is not in open { go rewind; }
gloss: b9fe9f89 = at create; let new-element insert-like entry;
gloss: ea65f441 = replace entry by new-element in formatting;
gloss: d624f76a = when new-element is not last of formatting { go advance; }
gloss: ed30972f = let entry last of formatting;
gloss: 5d5367fa = when entry is marker { return; }
gloss: 7ca83083 = algorithm appropriate-place: given optional node override-target default none;
gloss: 4350261a = declare template "template"; declare foster "table" | "tbody" | "tfoot" | "thead" | "tr" beside "table"; when foster-parenting is enabled and target-parent is fostered { }
gloss: 663235ed = let last-template-or-table last "template" or "table" of open or none;
gloss: 62b900fb = when last-template-or-table is none { return place first of open before none; }
gloss: 019f6cb5 = when insertion-end-marker of target-parent is not none and parent of insertion-end-marker of target-parent is patch-insertion-target { return place patch-insertion-target before insertion-end-marker of target-parent; }
gloss: 6bcb3e7b = algorithm create-element: given token token; given string namespace; given node-object intended-parent;
gloss: 7f5496dc = when speculative-parser is set { return speculative-mock-element namespace token-name attributes of token; }
gloss: 30018fc3 = otherwise { speculate namespace token-name attributes of token or leave it; }
gloss: e2825780 = let is attribute "is" of token when attribute "is" of token is set otherwise none;
gloss: 8ff270ca = when no script runs { perform microtask-checkpoint; }
gloss: bd4a8867 = add token-attributes to element;
gloss: 467f2cb6 = invoke custom-element-reactions in queue;
gloss: 0685ac8c = when attribute "xmlns" of element is not namespace { error; }
gloss: 76d12041 = when attribute "xmlns:xlink" of element is not xlink { error; }
gloss: 40c27978 = when element is resettable-element and element is not form-associated-custom-element { reset element; }
gloss: dc780631 = when element is form-associated-element and element is not form-associated-custom-element and pointer form is not none and not parsing-template-contents and fragment-context-element of parser is none and either element is not listed or element has no attribute "form" and intended-parent is in tree of pointed form { associate element with pointed form; let parser-inserted-flag of element true; }
gloss: bb6fd634 = algorithm adjusted-location: given optional insertion-location insertion-location default none;
gloss: 083f0bb9 = let location appropriate-place override-target;
gloss: ea2916ce = when target-parent of location is first of open and root-insertion-target of parser is not none { let location place root-insertion-target of parser before none; }
gloss: 4f39cb62 = algorithm insert-at-adjusted-location: given element element; given optional insertion-location insertion-location default none;
gloss: 6bc25306 = when fragment-context-element of parser is none { pop element-queue from custom-element-reactions-stack of relevant-agent of element; invoke custom-element-reactions in queue; }
gloss: e5113fe3 = algorithm insert-foreign-element: given token token; given string namespace; given boolean only-add-to-element-stack;
gloss: 5f34a043 = when only-add-to-element-stack is false { insert-at-adjusted-location element; }
gloss: c184a58a = push element;
gloss: a6b3f03c = insert-element: given token token; insert-foreign-element token html false;
gloss: 76a74129 = let data given characters or token-character;
gloss: d8bb43e3 = algorithm insert-comment: given optional insertion-location insertion-location default none;
gloss: 5001ec3a = let data token-data;
gloss: de1df7b7 = algorithm insert-processing-instruction: given optional insertion-location insertion-location default none;
gloss: f43b897a = generate-end-tags: excepted are not implied;
gloss: f9ce10cb = begins: attach-shadow-root "shadowrootmode" shadow-host reserved-name
gloss: b5585bd6 = let template insert-foreign-element template-start-tag html true;
gloss: e6a95013 = when attribute "shadowrootslotassignment" of template-start-tag is "manual" { let slot-assignment "manual"; }
gloss: a52d47ac = attach shadow-root declarative-shadow-host-element mode delegates-focus serializable slot-assignment clonable registry;
gloss: c605d314 = when exception is thrown { }
gloss: ee1db0d1 = report error or leave it;
gloss: 7f6cc5ab = let scope node of adjusted-location;
gloss: 7f6cc5ab = begins: patch-content "for" "name" "marker" "start" "end" "body"
gloss: d20d1141 = otherwise when scope is body of its document { let scope parent of scope; }
gloss: 6b93c48a = push template;
gloss: 3d03f6b9 = algorithm adoption-agency: given token token;
gloss: caa6d18d = when current is named subject and current is not in formatting { pop; return; }
gloss: 12de21c9 = declare limit adoption-rounds 8; when outer-loop-counter is at least adoption-rounds { return; }
gloss: d4290433 = when formatting-element is not set { return any-other-end-tag; }
gloss: f3c06a8f = let furthest-block topmost special below formatting-element;
gloss: 9e4f8429 = when furthest-block is not set { pop-until formatting-element; remove formatting-element from formatting; return; }
gloss: 55c03d06 = let bookmark place of formatting-element in formatting;
gloss: 554b8505 = let node above node even-if-removed;
gloss: ca469fdf = declare limit adoption-elements 3; when inner-loop-counter is more than adoption-elements and node is in formatting { remove node from formatting; }
gloss: bce97aff = let new-element create-like node inside common-ancestor; replace node by new-element in formatting; replace node by new-element in open; let node new-element;
gloss: 2546d61b = let new-element create-like formatting-element inside furthest-block;
gloss: 06367e16 = append children of furthest-block to new-element;
gloss: 63d4ed6c = remove formatting-element from formatting; insert new-element in formatting at bookmark;
gloss: e8949fcd = remove formatting-element from open; insert new-element in open below furthest-block;
gloss: f364c819 = algorithm parse-fragment: given element-or-fragment target; given string input; given optional boolean allow-declarative-shadow-roots default false; given optional parser-scripting-mode scripting-mode default inert;
gloss: 20cd839f = let parser html-parser of document with allow-declarative-shadow-roots allow-declarative-shadow-roots;
gloss: 981b9ee6 = let tokenizer by context;
gloss: e623ac73 = let open root;
gloss: 9f9c02a7 = declare "template" => push-template-mode in-template; let template-modes by context;
gloss: 04b4aa59 = let token start-tag with name and attributes of context;
gloss: 432ae6a9 = let start-tag of context token;
gloss: acf98a66 = reset-insertion-mode;
gloss: 5705e572 = declare "form" => point form to-context; let pointers by context;
gloss: b2c3588c = let input-stream input;
gloss: 0046ba2d = let confidence irrelevant;
gloss: 7370fcc0 = run parser until input is consumed;
gloss: 42642f7b = declare tree start initial;
gloss: 081fa963 = define reset
gloss: c5024897 = row below when not is-set head => switch before-head
gloss: ddc26af0 = row below => switch after-head
gloss: d147fb11 = default
gloss: c17a21d4 = algorithm reconstruct-formatting:
gloss: 973489d9 = algorithm clear-formatting:
gloss: 9c84cd5f = declare tree condition parsing-template-contents = open "template" or context is "template";
gloss: 9f2903e5 = declare tree flag declarative-shadow-roots = forbidden | allowed by host;
gloss: d56f311d = declare tree flag scripting = disabled | enabled by host;
gloss: 5075b84b = declare tree flag frameset-ok = ok | not-ok;
gloss: f86fcf59 = ;
gloss: c998d0c1 = transfer
gloss: f8eab080 = given: returns insertion-location;
gloss: 4deabf76 = target-parent is document-node and target-parent has element-child
gloss: 8d70a548 = declare adjust mathml-attributes = "definitionurl" => "definitionURL"
gloss: 23a32aca = define adjust svg-attributes
gloss: e55c6e02 = define adjust foreign-attributes
gloss: c751a11a = algorithm insert-character:
gloss: 2634cc75 = define steps raw-text or rcdata
gloss: 22dcb1f6 = tokenizer rawtext or rcdata;
gloss: d36ecd2d = declare tree flag change-of-mode = allowed | forbidden by host;
gloss: c4e887ee = ;
gloss: 94991e29 = declare doctypes ignoring-case;
gloss: a1bd88e2 = ;
gloss: b9d6d1b5 = put;
gloss: 5d130eb1 = if declarative-shadow-roots is forbidden or adjusted-current is-root { insert-element; return; }
gloss: cc1b56f0 = define steps close-p
gloss: bb7538cf = after last-marker
gloss: d26e35b5 = last-node is not host-including-ancestor of target
gloss: 0db79af8 = target is not document-node or target has no element-child
gloss: 0625cdcd = ref-node is none or parent of ref-node is target
gloss: ed9303ee = define steps close-cell
gloss: 7d482d2a = transfer
gloss: 2c7c3f9b = insert-foreign-element adjusted-current;
gloss: 1985d709 = if self-closing { }
gloss: 82805be2 = acknowledge-self-closing; pop; call-host script;
gloss: 28df7af9 = given: returns fragment;
gloss: 491ba0bf = ;
gloss: 23a85c7b = ;
// Glosses of sentences that only texts of other dates have, which `cargo xtask diff --history` reads.
gloss of another date: de2d22ae = algorithm create-element: given namespace; given intended-parent;
gloss of another date: 4832b2cf = algorithm insert-comment: given optional position;
gloss of another date: 292f8f55 = algorithm insert-foreign-element: given namespace;
gloss of another date: 8cde48c4 = declare template "template"; declare foster "table" | "tbody" | "tfoot" | "thead" | "tr" beside "table"; when foster-parenting is enabled and target is fostered { }
gloss of another date: 36635905 = given: given element context; given string input; returns list;
gloss of another date: bb832dbe = let new-node comment data;
gloss of another date: 5b29c38b = let new-element create-like formatting-element inside furthest-block;
gloss of another date: 6d3f4cfb = let new-element create-like node inside common-ancestor; replace node by new-element in formatting; replace node by new-element in open; let node new-element;
gloss of another date: 2cbb14f0 = ;
gloss of another date: d29e7273 = when will-execute-script is true { }
gloss of another date: 1538c35c = when element is resettable-element { reset element; }
gloss of another date: 7bdbb2ab = declare limit adoption-elements 3; when inner-loop-counter is more than adoption-elements and node is in formatting { remove node from formatting; }
gloss of another date: 419f17c5 = when element can be inserted at location { }
gloss of another date: 6d6834a4 = when last-table has parent { let location before last-table; leave; }
gloss of another date: cf648675 = declare limit adoption-rounds 8; when outer-loop-counter is at least adoption-rounds { return; }
gloss of another date: 78f3b7ed = when position is set { let location position; }
gloss of another date: 98bdeaff = when location is inside document { return; }
gloss of another date: 527cfa2a = when location is inside template { let location end of contents of template; }
gloss of another date: decb1f3e = when text is before location { append data to text; }
gloss of another date: 54134972 = when last-template is set and either last-table is not set or both last-table is set and last-template is below last-table { let location end of contents of last-template; leave; }
gloss of another date: 02589f3d = when furthest-block is not set { pop-until formatting-element; remove formatting-element from formatting; return; }
gloss of another date: ae4dfb97 = when last-table is not set { let location end of first of open; leave; }
gloss of another date: a73840ed = when formatting-element is not set { return any-other-end-tag; }
gloss of another date: 120920ed = when override-target is set { let target override-target; }
gloss of another date: 5b5b6b04 = insert new-node at location;
gloss of another date: 0a9c9aa7 = insert last-node at appropriate-place instead-of common-ancestor;
gloss of another date: a8fc9d98 = let bookmark place of formatting-element in formatting;
gloss of another date: 72e43220 = let document document of intended-parent;
gloss of another date: f437f425 = let element create-element inside location;
gloss of another date: a2ecb7b4 = let element element local-name in namespace;
gloss of another date: 7413adc5 = let furthest-block topmost special below formatting-element;
gloss of another date: a9ed043a = let local-name token-name;
gloss of another date: be4dee2f = otherwise { let new-node text data; insert new-node at location; }
gloss of another date: e46df164 = remove formatting-element from formatting; insert new-element in formatting at bookmark;
gloss of another date: 7534cb9d = remove formatting-element from open; insert new-element in open below furthest-block;
gloss of another date: 39c1e2dc = let open root;
gloss of another date: d15d8dc2 = append children of furthest-block to new-element;
gloss of another date: 67822840 = mutation-events: fire no mutation-events;
gloss of another date: 3bf5a6e2 = mutation-events: but mutation-observers;
gloss of another date: 12ae4ee4 = adjusted-current: when fragment and open has one element { let adjusted-current context; } otherwise { let adjusted-current current; }
gloss of another date: ae45ff62 = mutation-events: nor for what scripts write;
gloss of another date: 9e10d639 = append-doctype;
gloss of another date: 089a7012 = if current is ⟨"option"⟩ and above-current is optgroup { pop; }
gloss of another date: e215967d = if fragment { error unnamed; ignore; return; }
gloss of another date: fcdcdb91 = if not fragment and not current is ⟨"frameset"⟩ { switch after-frameset; }
gloss of another date: 55f73767 = insert-foreign-element adjusted-current;
gloss of another date: 95632011 = insert-element; when not open ⟨"template"⟩ { point form; }
gloss of another date: ed080188 = ;
gloss of another date: 14a3b910 = call-host encoding-declaration;
gloss of another date: b622e3f3 = algorithm appropriate-place:
gloss of another date: d19d54b3 = algorithm parse-fragment:
gloss of another date: 566b29a2 = define list scope select = special except
gloss of another date: 799b9bf6 = transfer
gloss of another date: ea869b8e = declare "form" => point form to-context; let pointers by context;
gloss of another date: 8c1b8b9d = let root element document "html";
gloss of another date: b552152d = declare "template" => push-template-mode in-template; let template-modes by context;
gloss of another date: 072b0f16 = at loop; when node is first of open { let last true; when fragment-context-element of parser is not none { let node fragment-context-element of parser; } }
gloss of another date: bb407e0c = ;
gloss of another date: 6401c9d4 = ;
gloss of another date: 6b15c366 = ;
gloss of another date: f70aed62 = ;
gloss of another date: f894be27 = ;
gloss of another date: 8b9cea8d = ;
gloss of another date: 287a478b = ;
gloss of another date: 821d3b55 = ;
gloss of another date: 3bde7af3 = ;
gloss of another date: ee2c64f9 = ;
gloss of another date: 35daf62f = ;
gloss of another date: d1c453c5 = declare tree flag scripting = disabled | enabled by host;
gloss of another date: 83e19d5f = row below => switch in-select
gloss of another date: 800e5c51 = row below when not last and table-above is yes => switch in-select-in-table
gloss of another date: f3509df8 = ;
gloss of another date: 94a2bba2 = ;
gloss of another date: b9b4613f = ;
gloss of another date: 99d1d7c2 = ;
gloss of another date: 9aae2b99 = ;
gloss of another date: 13c3d410 = ;
