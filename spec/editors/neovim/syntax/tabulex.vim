" Colours of tables; written from the grammar and the vocabulary.
if exists("b:current_syntax") | finish | endif
syntax iskeyword @,48-57,-
syntax keyword tabulexKeyword action add adjust after ahead algorithm and before beside by byte-order-mark character class condition counter deviates dispatch doctypes document elements else emitting empty encodings end enter entry error errors except extends fills flag foster fragment from host ignoring-case in input integration-points leave lexeme lexical-mode limit longest math mode modes name names newlines not nulls on or otherwise pointers procedure pushed-states references remove removed replace reset rows scope selected-content start state steps string svg take tell template text-nodes to token tokenizer tree trimmed unacknowledged when with xlink xml xmlns
syntax keyword tabulexAction acknowledge-self-closing add-digit adjust-attributes adjust-tag-name adoption-agency append append-comment append-declaration append-doctype append-element append-entity append-processing-instruction append-text append-text-node append-to-pending as attach-shadow-root begin begin-token call-host clear-back-to clear-formatting clear-pending collapse-declared-values convert create cut decrease detach-second disable drop-duplicate-attribute emit enable escape finish-patching generate-end-tags go-back ignore ignore-next-line-feed increase insert insert-character insert-comment insert-element insert-foreign-element insert-marker insert-pending insert-processing-instruction join-surrogates leave-foreign-content lowercase mark-end-tag match-reference merge-attributes patch-content point pop pop-template-mode pop-until pop-until-foreign-token-name pop-until-token-name process-pending push-formatting push-pointed push-state push-template-mode reconstruct-formatting reconsume remember-place remove-pointed rename replace-first reprocess reset-insertion-mode return run set set-original-mode start-attribute start-declaration stop strip-and-collapse switch trim-text unescape unset using wrap-unless-single-element
syntax keyword tabulexWord above additional-allowed-character adjusted-current adoption-elements adoption-rounds alike-formatting appropriate-end-tag attribute-list attribute-name attribute-value by-host called-by character-reference-code comment context current data decimal declared declared-default declared-name declared-tag-name declared-type doctype doctype-name document-mode end-of-file end-tag entities entity entity-name entity-value escaping followed-by force-quirks foreign-open formatting-has foster-parenting from-last has-template-mode hexadecimal highest-byte in-base in-scope incorrect insertable insertion-mode inside is is-at-most is-foreign is-integration-point is-reference is-root is-set last last-start-tag last-start-tag-name-ahead limited-quirks lower lowest-byte matched matches missing no-quirks nothing open open-other-than original-mode parameter-entities pending-other-than pointed preceded-by processing-instruction public public-begins public-identifier pushed-state quirks reference reference-ends-with replacement-bytes replacement-bytes-per-input-byte replacement-nesting return-state returned root second second-byte self-closing short-end-tag stack-is-empty start-tag system system-identifier tag tag-name target template-mode temporary-buffer third-byte to-context to-formatting token-attribute token-name token-name-ignoring-case
syntax keyword tabulexPattern EOF else always nothing returned reference additional-allowed-character comment doctype processing-instruction short-end
syntax match tabulexComment "//.*$"
syntax region tabulexString start=+"+ skip=+\\.+ end=+"+
syntax match tabulexCharacter "'\(\\[^']*\|\\'\|[^'\\]\)'"
syntax match tabulexNumber "\<\(0x\x\+\|\d\+\)\>"
syntax match tabulexOperator "=>\|\.\.=\?\||"
highlight default link tabulexKeyword Keyword
highlight default link tabulexAction Function
highlight default link tabulexWord Identifier
highlight default link tabulexPattern Constant
highlight default link tabulexComment Comment
highlight default link tabulexString String
highlight default link tabulexCharacter Character
highlight default link tabulexNumber Number
highlight default link tabulexOperator Operator
let b:current_syntax = "tabulex"
