//! The actions of states and lexical modes.

use super::forms;
use crate::model::{Action, Edit};

forms! {
    /// All actions that a row of a state or lexical mode can contain.
    ACTIONS: "action" of Action, Actions;
    list "actions" {
        "switch <state>" {
            is: Action::Switch(_),
            make: |slots| Action::Switch(slots.state()),
            meaning: "The state is the next one.",
            wordings: ["switch to the {state}", "switch the tokenizer to the {state}"],
        }
        "switch return-state" {
            just: Action::SwitchReturnState,
            meaning: "The return state is the next one.",
            wordings: ["switch to the return state", "switch back to the {state} that switched into this state"],
        }
        "switch pushed-state" {
            just: Action::SwitchPushedState,
            meaning: "The state that was pushed last is the next one, and is popped; where none was pushed, the machine \
                goes to the state in which it starts.",
            wordings: [],
        }
        "push-state <state>" {
            is: Action::PushState(_),
            make: |slots| Action::PushState(slots.state()),
            meaning: "The state is pushed onto the stack of states, to come back to. Where the stack holds as many as \
                `pushed-states` says, its error is reported, and the state is only counted: as many times \
                `switch pushed-state` leads to the last state that the stack holds, and pops nothing.",
            wordings: [],
        }
        "reconsume" {
            just: Action::Reconsume,
            meaning: "What the row consumed is consumed again, in the next state.",
            wordings: [
                "reconsume the current input character",
                "reconsume the character",
                "reconsume the EOF character",
            ],
        }
        "reconsume <state>" {
            short_for: |slots| vec![Action::Switch(slots.state()), Action::Reconsume],
            meaning: "Short for `switch <state>; reconsume;`.",
            wordings: ["reconsume in the {state}"],
        }
        "ignore" {
            just: Action::Ignore,
            meaning: "Nothing is done.",
            wordings: ["ignore the character", "stay in this state", "stay in the current state"],
        }
        "as else" {
            just: Action::AsElse,
            meaning: "The steps of the `else` row follow here; nothing but `reconsume` may stand after it.",
            wordings: ["treat it as per the \"anything else\" entry below"],
        }
        "error <error>" {
            is: Action::Error(_),
            make: |slots| Action::Error(slots.error()),
            meaning: "A parse error with this code, at the character that the row consumed, or the last of several.",
            wordings: ["parse error", "this is a parse error", "this is an {error} parse error"],
        }
        "error <error> after" {
            is: Action::ErrorAfter(_),
            make: |slots| Action::ErrorAfter(slots.error()),
            meaning: "A parse error with this code, after what the row consumed: something is missing there.",
            wordings: ["then this is an {error} parse error"],
        }
        "create <token>" {
            is: Action::Create(_),
            make: |slots| Action::Create(slots.token()),
            meaning: "A new, empty token becomes the current one of its kind.",
            wordings: [
                "create a new {token} token",
                "create a {token} token",
                "create a {token} token whose data is the empty string",
            ],
        }
        "start-attribute" {
            just: Action::StartAttribute,
            meaning: "A new attribute with empty name and value becomes the current one of the current tag.",
            wordings: ["start a new attribute in the current tag token", "create a new attribute in the tag token"],
        }
        "drop-duplicate-attribute <error>" {
            is: Action::DropDuplicateAttribute(_),
            make: |slots| Action::DropDuplicateAttribute(slots.error()),
            meaning: "If an earlier attribute of the tag has the name of the current one: a parse error with this \
                code, and the current one will not be part of the tag, though it stays the current one.",
            wordings: [
                "if there is already an attribute on the token with the exact same name, then this is a parse error \
                    and the new attribute must be removed from the token",
            ],
        }
        "append <text> to <field>" {
            is: Action::Append(..),
            make: |slots| Action::Append(slots.text(), slots.field()),
            meaning: "The text is added at the end of the field; \"set the name to …\" of a new token is written so, \
                too.",
            wordings: [
                "append {text} to {field}",
                "set its {field} to {text}",
                "set that attribute's name to {text}",
            ],
        }
        "set <field> <string>" {
            is: Action::Set(..),
            make: |slots| Action::Set(slots.field(), slots.string()),
            meaning: "The field holds this string; a field that was missing is no longer.",
            wordings: ["set {field} to the empty string", "set {field} to the empty string (not missing)"],
        }
        "strip-and-collapse <class> in <field>" {
            is: Action::Edit(_, Edit::StripAndCollapse(_)),
            make: |slots| {
                let class = slots.class();
                Action::Edit(slots.field(), Edit::StripAndCollapse(class))
            },
            meaning: "Characters of the class are removed from the beginning and the end of the field, and each \
                sequence of them within it becomes one space.",
            wordings: [],
        }
        "escape <class> in <field> by <character>" {
            is: Action::Edit(_, Edit::Escape(..)),
            make: |slots| {
                let (class, field) = (slots.class(), slots.field());
                Action::Edit(field, Edit::Escape(class, slots.character()))
            },
            meaning: "Each character of the class in the field becomes its bytes in UTF-8, each written as the character \
                and two hexadecimal digits in upper case.",
            wordings: [],
        }
        "unescape <character> in <field>" {
            is: Action::Edit(_, Edit::Unescape(_)),
            make: |slots| {
                let character = slots.character();
                Action::Edit(slots.field(), Edit::Unescape(character))
            },
            meaning: "The character and two hexadecimal digits become the byte that they stand for, and the bytes of the \
                field are read as UTF-8, with U+FFFD for what is none.",
            wordings: [],
        }
        "cut <field> from-last <character>" {
            is: Action::Edit(_, Edit::CutFromLast(_)),
            make: |slots| Action::Edit(slots.field(), Edit::CutFromLast(slots.character())),
            meaning: "The field loses its last occurrence of the character and what stands after it; where there is none, \
                all of its text.",
            wordings: [],
        }
        "replace-first <string> in <field> by <string>" {
            is: Action::Edit(_, Edit::ReplaceFirst(..)),
            make: |slots| {
                let (from, field) = (slots.string(), slots.field());
                Action::Edit(field, Edit::ReplaceFirst(from, slots.string()))
            },
            meaning: "The first occurrence of the first string in the field becomes the second one.",
            wordings: [],
        }
        "run <state> on <field>" {
            is: Action::Edit(_, Edit::Run(_)),
            make: |slots| {
                let state = slots.state();
                Action::Edit(slots.field(), Edit::Run(state))
            },
            meaning: "The machine reads the text of the field as an input of its own, from the state on, which stands in \
                `entry`; the field becomes the first field of the first token of a declared kind that is emitted, and is \
                missing where none is. Errors in the text are reported where the row reports errors.",
            wordings: [],
        }
        "convert <field> by-host <string>" {
            is: Action::Edit(_, Edit::ByHost(_)),
            make: |slots| Action::Edit(slots.field(), Edit::ByHost(slots.string())),
            meaning: "The field becomes what the function of the host of this name makes of it, and is missing where that \
                fails or there is no such function.",
            wordings: [],
        }
        "lowercase <field>" {
            is: Action::Edit(_, Edit::Lowercase),
            make: |slots| Action::Edit(slots.field(), Edit::Lowercase),
            meaning: "ASCII letters in the field are put into lower case.",
            wordings: [],
        }
        "unset <field>" {
            is: Action::Edit(_, Edit::Unset),
            make: |slots| Action::Edit(slots.field(), Edit::Unset),
            meaning: "The field holds nothing and is missing, as after the token was created.",
            wordings: [],
        }
        "remember-place" {
            just: Action::RememberPlace,
            meaning: "The place after what the row consumed is remembered, instead of an earlier one.",
            wordings: [],
        }
        "go-back" {
            just: Action::GoBack,
            meaning: "The next input is that at the remembered place, which is then forgotten; before any is remembered, at the \
                beginning. A place that is not after the one to which the machine went back last is passed over, so \
                that every run ends.",
            wordings: [],
        }
        "set <token-flag>" {
            is: Action::SetTokenFlag(_),
            make: |slots| Action::SetTokenFlag(slots.token_flag()),
            meaning: "The flag of the current token is set; `incorrect` is the older name of `force-quirks`.",
            wordings: ["set the {token-flag} of the current tag token", "set its {token-flag} to on"],
        }
        "set <flag> <value>" {
            is: Action::SetFlag(..),
            make: |slots| Action::SetFlag(slots.flag(), slots.value()),
            meaning: "The declared flag has this value.",
            wordings: ["set the {flag} to {value}"],
        }
        "increase <counter>" {
            is: Action::Increase(_),
            make: |slots| Action::Increase(slots.counter()),
            meaning: "The counter grows by one; where it is as high as its declaration says, its error is reported \
                instead.",
            wordings: [],
        }
        "decrease <counter>" {
            is: Action::Decrease(_),
            make: |slots| Action::Decrease(slots.counter()),
            meaning: "The counter shrinks by one, unless it is 0.",
            wordings: [],
        }
        "set return-state <state>" {
            is: Action::SetReturnState(_),
            make: |slots| Action::SetReturnState(slots.state()),
            meaning: "The return state is remembered.",
            wordings: ["set the return state to the {state}"],
        }
        "set additional-allowed-character <character>" {
            is: Action::SetAdditionalAllowedCharacter(Some(_)),
            make: |slots| Action::SetAdditionalAllowedCharacter(Some(slots.character())),
            meaning: "The additional allowed character is this one.",
            wordings: ["switch to the {state}, with the additional allowed character being {character}"],
        }
        "unset additional-allowed-character" {
            is: Action::SetAdditionalAllowedCharacter(None),
            make: |_| Action::SetAdditionalAllowedCharacter(None),
            meaning: "There is no additional allowed character.",
            wordings: ["attempt to consume a character reference, with no additional allowed character"],
        }
        "set character-reference-code <number>" {
            is: Action::SetNumber(_),
            make: |slots| Action::SetNumber(slots.number()),
            meaning: "The character reference code has this value.",
            wordings: ["set the character reference code to zero ({number})"],
        }
        "add-digit <base>" {
            is: Action::AddDigit(_),
            make: |slots| Action::AddDigit(slots.base()),
            meaning: "The character reference code is multiplied by the base, and the current character is added as \
                a digit; it stops growing where 32 bits end.",
            wordings: [
                "interpret the string of characters as a number",
                "multiply the character reference code by {base}",
            ],
        }
        "join-surrogates" {
            just: Action::JoinSurrogates,
            meaning: "A high surrogate and a low one that stand in the character reference code, the high one \
                multiplied by 0x10000, become the character that they stand for in UTF-16; any other number stays.",
            wordings: [],
        }
        "set character-reference-code <data> in-base <base>" {
            is: Action::SetNumberToData(..),
            make: |slots| Action::SetNumberToData(slots.data(), slots.base()),
            meaning: "The character reference code is the data of the lexical token, read as a number in the base; \
                it stops growing where 32 bits end.",
            wordings: ["the associated number"],
        }
        "match-reference <data>" {
            is: Action::MatchReference(_),
            make: |slots| Action::MatchReference(slots.data()),
            meaning: "The named character reference of this name counts as the one that was matched last.",
            wordings: ["the associated string is a valid character name"],
        }
        "emit <text>" {
            is: Action::EmitText(_),
            make: |slots| Action::EmitText(slots.text()),
            meaning: "The text goes to the output as character tokens.",
            wordings: [
                "emit {text} as a character token",
                "emit a {text} character token",
                "emit the character tokens that were returned",
            ],
        }
        "emit <register>" {
            is: Action::EmitToken(_),
            make: |slots| Action::EmitToken(slots.register()),
            meaning: "The current token of the register goes to the output.",
            wordings: [
                "emit the current {register} token",
                "emit the {register} token",
                "emit that {register} token",
                "emit the token",
            ],
        }
        "emit <declared-token> inside" {
            is: Action::EmitInside(_),
            make: |slots| Action::EmitInside(slots.declared_token()),
            meaning: "The current token of this kind goes to the output as part of a token or text that is being made, \
                whose range goes on.",
            wordings: [],
        }
        "emit end-of-file" {
            just: Action::EmitEndOfFile,
            meaning: "The end-of-file token goes to the output, and the machine stops. Its place is where it stops.",
            wordings: ["emit an end-of-file token"],
        }
        "stop" {
            just: Action::Stop,
            meaning: "The machine stops where it is, and there is no end-of-file token: the input is refused.",
            wordings: ["stop parsing"],
        }
        "return nothing" {
            just: Action::ReturnNothing,
            meaning: "The procedure ends without a result; everything that it consumed is unconsumed.",
            wordings: ["no characters are consumed, and nothing is returned", "nothing is returned"],
        }
        "return <result>" {
            is: Action::Return(_),
            make: |slots| Action::Return(slots.returned()),
            meaning: "The procedure ends with these characters as its result.",
            wordings: [
                "return a {result} character token",
                "return one or two character tokens for the character(s) corresponding to the character reference \
                    name",
            ],
        }
        "emit short-end-tag" {
            just: Action::EmitShortEndTag,
            meaning: "A short end tag, which has no name, goes to the output.",
            wordings: ["emit a short end tag token"],
        }
        "begin-token" {
            just: Action::BeginToken,
            meaning: "The range of the next token or text begins with what the row consumes: what was ignored before \
                is not part of it.",
            wordings: [],
        }
        "begin <declared-field>" {
            is: Action::BeginField(_),
            make: |slots| Action::BeginField(slots.declared_field()),
            meaning: "The range of the field, unless it has begun, begins with what the row consumes. Else it begins with \
                the first text that is added, or at the switch to a state that adds the current character to it and \
                does nothing else.",
            wordings: [],
        }
        "start-declaration" {
            just: Action::StartDeclaration,
            meaning: "A new attribute declaration with empty attribute name, type and default value becomes the \
                current one.",
            wordings: ["start a new attribute in the current attribute declaration"],
        }
        "append-declaration" {
            just: Action::AppendDeclaration,
            meaning: "The current attribute declaration is appended to those of the tag name, unless they have one of \
                its name: start tags of this name that lack the attribute get it with the default value, if the \
                declaration has one. It has one, which may be empty, once something was set as or appended to its \
                default.",
            wordings: ["append an attribute declaration"],
        }
        "append-entity <list>" {
            is: Action::AppendEntity(_),
            make: |slots| Action::AppendEntity(slots.list()),
            meaning: "The current entity is appended to the list, unless the list has one of its name.",
            wordings: ["append an entity"],
        }
        "insert <list>" {
            is: Action::Insert(_, escaped) if escaped.is_empty(),
            make: |slots| Action::Insert(slots.list(), String::new()),
            meaning: "The value of the entity of the list that the temporary buffer names, after its first \
                character, is put into the input after what was consumed, and is read next.",
            wordings: ["put the value of the entity at the front of the input"],
        }
        "insert <list> escaping <string>" {
            is: Action::Insert(..),
            make: |slots| Action::Insert(slots.list(), slots.string()),
            meaning: "As `insert <list>`, with the characters of the string as numeric character references.",
            wordings: ["put the value of the entity at the front of the input, with {string} escaped"],
        }
        "<action>" {
            makes: Defined,
            meaning: "The steps of the action that the table defines by this name.",
            wordings: [],
        }
    }
}
