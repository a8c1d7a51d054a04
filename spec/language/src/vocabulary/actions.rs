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
            meaning: "Switches to the state.",
            wordings: ["switch to the {state}", "switch the tokenizer to the {state}"],
        }
        "switch return-state" {
            just: Action::SwitchReturnState,
            meaning: "Switches to the return state.",
            wordings: ["switch to the return state", "switch back to the {state} that switched into this state"],
        }
        "switch pushed-state" {
            just: Action::SwitchPushedState,
            meaning: "Pops the state that was pushed last, and switches to it; if the stack of states is empty, \
                switches to the start state of the machine.",
        }
        "push-state <state>" {
            is: Action::PushState(_),
            make: |slots| Action::PushState(slots.state()),
            meaning: "Pushes the state onto the stack of states, to return to it. If the stack has reached the \
                capacity that `pushed-states` declares, reports its error and only counts the state: as many `switch \
                pushed-state` then switch to the last state on the stack without popping it.",
        }
        "reconsume" {
            just: Action::Reconsume,
            meaning: "Gives back what the row consumed, for the next state.",
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
            meaning: "Does nothing.",
            wordings: ["ignore the character", "stay in this state", "stay in the current state"],
        }
        "as else" {
            just: Action::AsElse,
            meaning: "Runs the steps of the `else` row; only `reconsume` can follow it.",
            wordings: ["treat it as per the \"anything else\" entry below"],
        }
        "error <error>" {
            is: Action::Error(_),
            make: |slots| Action::Error(slots.error()),
            meaning: "Reports a parse error with this code, at the character that the row consumed, or the last of \
                several.",
            wordings: ["parse error", "this is a parse error", "this is an {error} parse error"],
        }
        "error <error> after" {
            is: Action::ErrorAfter(_),
            make: |slots| Action::ErrorAfter(slots.error()),
            meaning: "Reports a parse error with this code, after what the row consumed, because something is missing \
                there.",
            wordings: ["then this is an {error} parse error"],
        }
        "create <token>" {
            is: Action::Create(_),
            make: |slots| Action::Create(slots.token()),
            meaning: "Creates an empty token, which becomes the current one of its kind.",
            wordings: [
                "create a new {token} token",
                "create a {token} token",
                "create a {token} token whose data is the empty string",
            ],
        }
        "start-attribute" {
            just: Action::StartAttribute,
            meaning: "Starts an attribute with an empty name and value, which becomes the current one of the current tag.",
            wordings: ["start a new attribute in the current tag token", "create a new attribute in the tag token"],
        }
        "drop-duplicate-attribute <error>" {
            is: Action::DropDuplicateAttribute(_),
            make: |slots| Action::DropDuplicateAttribute(slots.error()),
            meaning: "If an earlier attribute of the tag has the name of the current one, reports a parse error with \
                this code and drops the current attribute from the tag. It remains the current one.",
            wordings: [
                "if there is already an attribute on the token with the exact same name, then this is a parse error \
                    and the new attribute must be removed from the token",
            ],
        }
        "append <text> to <field>" {
            is: Action::Append(..),
            make: |slots| Action::Append(slots.text(), slots.field()),
            meaning: "Appends the text to the field. This is also used for \"set the name to …\" of a new token.",
            wordings: [
                "append {text} to {field}",
                "set its {field} to {text}",
                "set that attribute's name to {text}",
            ],
        }
        "set <field> <string>" {
            is: Action::Set(..),
            make: |slots| Action::Set(slots.field(), slots.string()),
            meaning: "Sets the field to this string; the field is then no longer missing.",
            wordings: ["set {field} to the empty string", "set {field} to the empty string (not missing)"],
        }
        "strip-and-collapse <class> in <field>" {
            is: Action::Edit(_, Edit::StripAndCollapse(_)),
            make: |slots| {
                let class = slots.class();
                Action::Edit(slots.field(), Edit::StripAndCollapse(class))
            },
            meaning: "Removes characters of the class from the start and the end of the field, and replaces each \
                sequence of them within it by one space.",
        }
        "escape <class> in <field> by <character>" {
            is: Action::Edit(_, Edit::Escape(..)),
            make: |slots| {
                let (class, field) = (slots.class(), slots.field());
                Action::Edit(field, Edit::Escape(class, slots.character()))
            },
            meaning: "Replaces each character of the class in the field by its bytes in UTF-8, each written as the \
                character and two uppercase hexadecimal digits.",
        }
        "unescape <character> in <field>" {
            is: Action::Edit(_, Edit::Unescape(_)),
            make: |slots| {
                let character = slots.character();
                Action::Edit(slots.field(), Edit::Unescape(character))
            },
            meaning: "Replaces the character and two hexadecimal digits by the byte with that number, and decodes the \
                bytes of the field as UTF-8, with U+FFFD for invalid ones.",
        }
        "cut <field> from-last <character>" {
            is: Action::Edit(_, Edit::CutFromLast(_)),
            make: |slots| Action::Edit(slots.field(), Edit::CutFromLast(slots.character())),
            meaning: "Removes the last occurrence of the character in the field and everything after it; if there is \
                none, clears the field.",
        }
        "replace-first <string> in <field> by <string>" {
            is: Action::Edit(_, Edit::ReplaceFirst(..)),
            make: |slots| {
                let (from, field) = (slots.string(), slots.field());
                Action::Edit(field, Edit::ReplaceFirst(from, slots.string()))
            },
            meaning: "Replaces the first occurrence of the first string in the field by the second one.",
        }
        "run <state> on <field>" {
            is: Action::Edit(_, Edit::Run(_)),
            make: |slots| {
                let state = slots.state();
                Action::Edit(slots.field(), Edit::Run(state))
            },
            meaning: "Runs the machine on the text of the field, starting in the state, which must be declared by \
                `entry`. The field is set to the first field of the first declared token that is emitted, and is \
                missing if there is none. Errors in the text are reported where the row reports errors.",
        }
        "convert <field> by-host <string>" {
            is: Action::Edit(_, Edit::ByHost(_)),
            make: |slots| Action::Edit(slots.field(), Edit::ByHost(slots.string())),
            meaning: "Sets the field to the result of the host's function of this name. The field is missing if the \
                function fails or does not exist.",
        }
        "lowercase <field>" {
            is: Action::Edit(_, Edit::Lowercase),
            make: |slots| Action::Edit(slots.field(), Edit::Lowercase),
            meaning: "Converts ASCII letters in the field to lowercase.",
        }
        "unset <field>" {
            is: Action::Edit(_, Edit::Unset),
            make: |slots| Action::Edit(slots.field(), Edit::Unset),
            meaning: "Makes the field empty and missing, as after the creation of the token.",
        }
        "remember-place" {
            just: Action::RememberPlace,
            meaning: "Remembers the position after what the row consumed, instead of a position remembered before.",
        }
        "go-back" {
            just: Action::GoBack,
            meaning: "Continues at the remembered position and forgets it; if there is none, at the start of the \
                input. Has no effect if the position is not after the last one returned to, so that every run ends.",
        }
        "set <token-flag>" {
            is: Action::SetTokenFlag(_),
            make: |slots| Action::SetTokenFlag(slots.token_flag()),
            meaning: "Sets the flag of the current token; `incorrect` is the older name of `force-quirks`.",
            wordings: ["set the {token-flag} of the current tag token", "set its {token-flag} to on"],
        }
        "set <flag> <value>" {
            is: Action::SetFlag(..),
            make: |slots| Action::SetFlag(slots.flag(), slots.value()),
            meaning: "Sets the declared flag to this value.",
            wordings: ["set the {flag} to {value}"],
        }
        "increase <counter>" {
            is: Action::Increase(_),
            make: |slots| Action::Increase(slots.counter()),
            meaning: "Increments the counter; at its declared maximum, reports its error instead.",
        }
        "decrease <counter>" {
            is: Action::Decrease(_),
            make: |slots| Action::Decrease(slots.counter()),
            meaning: "Decrements the counter, unless it is 0.",
        }
        "set return-state <state>" {
            is: Action::SetReturnState(_),
            make: |slots| Action::SetReturnState(slots.state()),
            meaning: "Sets the return state.",
            wordings: ["set the return state to the {state}"],
        }
        "set additional-allowed-character <character>" {
            is: Action::SetAdditionalAllowedCharacter(Some(_)),
            make: |slots| Action::SetAdditionalAllowedCharacter(Some(slots.character())),
            meaning: "Sets the additional allowed character.",
            wordings: ["switch to the {state}, with the additional allowed character being {character}"],
        }
        "unset additional-allowed-character" {
            is: Action::SetAdditionalAllowedCharacter(None),
            make: |_| Action::SetAdditionalAllowedCharacter(None),
            meaning: "Clears the additional allowed character.",
            wordings: ["attempt to consume a character reference, with no additional allowed character"],
        }
        "set character-reference-code <number>" {
            is: Action::SetNumber(_),
            make: |slots| Action::SetNumber(slots.number()),
            meaning: "Sets the character reference code to this value.",
            wordings: ["set the character reference code to zero ({number})"],
        }
        "add-digit <base>" {
            is: Action::AddDigit(_),
            make: |slots| Action::AddDigit(slots.base()),
            meaning: "Multiplies the character reference code by the base and adds the current character as a digit, \
                up to the maximum of 32 bits.",
            wordings: [
                "interpret the string of characters as a number",
                "multiply the character reference code by {base}",
            ],
        }
        "join-surrogates" {
            just: Action::JoinSurrogates,
            meaning: "If the character reference code consists of a high surrogate, multiplied by 0x10000, and a low \
                one, replaces it by the character that they encode in UTF-16. Other numbers are unchanged.",
        }
        "set character-reference-code <data> in-base <base>" {
            is: Action::SetNumberToData(..),
            make: |slots| Action::SetNumberToData(slots.data(), slots.base()),
            meaning: "Sets the character reference code to the data of the lexical token, parsed as a number in the \
                base, up to the maximum of 32 bits.",
            wordings: ["the associated number"],
        }
        "match-reference <data>" {
            is: Action::MatchReference(_),
            make: |slots| Action::MatchReference(slots.data()),
            meaning: "Treats the named character reference of this name as the one matched last.",
            wordings: ["the associated string is a valid character name"],
        }
        "emit <text>" {
            is: Action::EmitText(_),
            make: |slots| Action::EmitText(slots.text()),
            meaning: "Emits the text as character tokens.",
            wordings: [
                "emit {text} as a character token",
                "emit a {text} character token",
                "emit the character tokens that were returned",
            ],
        }
        "emit <register>" {
            is: Action::EmitToken(_),
            make: |slots| Action::EmitToken(slots.register()),
            meaning: "Emits the current token of the register.",
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
            meaning: "Emits the current token of this kind as part of a token or text that is under construction, \
                whose range continues.",
        }
        "emit end-of-file" {
            just: Action::EmitEndOfFile,
            meaning: "Emits the end-of-file token at the current position, and stops the machine.",
            wordings: ["emit an end-of-file token"],
        }
        "stop" {
            just: Action::Stop,
            meaning: "Stops the machine at the current position without an end-of-file token, which means that the \
                input is rejected.",
            wordings: ["stop parsing"],
        }
        "return nothing" {
            just: Action::ReturnNothing,
            meaning: "Returns from the procedure without a result, and gives back everything that it consumed.",
            wordings: ["no characters are consumed, and nothing is returned", "nothing is returned"],
        }
        "return <result>" {
            is: Action::Return(_),
            make: |slots| Action::Return(slots.returned()),
            meaning: "Returns from the procedure with these characters as the result.",
            wordings: [
                "return a {result} character token",
                "return one or two character tokens for the character(s) corresponding to the character reference \
                    name",
            ],
        }
        "emit short-end-tag" {
            just: Action::EmitShortEndTag,
            meaning: "Emits a short end tag, which has no name.",
            wordings: ["emit a short end tag token"],
        }
        "begin-token" {
            just: Action::BeginToken,
            meaning: "Begins the range of the next token or text with what the row consumes, so that characters \
                ignored before are not part of it.",
        }
        "begin <declared-field>" {
            is: Action::BeginField(_),
            make: |slots| Action::BeginField(slots.declared_field()),
            meaning: "Begins the range of the field with what the row consumes, unless it has begun. Without this \
                action it begins with the first text that is appended, or at the switch to a state that only appends \
                the current character to it.",
        }
        "start-declaration" {
            just: Action::StartDeclaration,
            meaning: "Starts an attribute declaration with an empty attribute name, type and default value, which \
                becomes the current one.",
            wordings: ["start a new attribute in the current attribute declaration"],
        }
        "collapse-declared-values" {
            just: Action::CollapseDeclaredValues,
            meaning: "Marks the current attribute declaration. In values of its attribute, and in its default value, \
                leading and trailing spaces are then removed, and each sequence of spaces is replaced by one.",
        }
        "append-declaration" {
            just: Action::AppendDeclaration,
            meaning: "Appends the current attribute declaration to those of the tag name, unless there is one with its \
                attribute name. From then on, start tags of this name without the attribute get it with the default \
                value, if the declaration has one: a default, which may be empty, exists once text was set as or \
                appended to it.",
            wordings: ["append an attribute declaration"],
        }
        "append-entity <list>" {
            is: Action::AppendEntity(_),
            make: |slots| Action::AppendEntity(slots.list()),
            meaning: "Appends the current entity to the list, unless the list has one with its name.",
            wordings: ["append an entity"],
        }
        "insert <list>" {
            is: Action::Insert(_, escaped) if escaped.is_empty(),
            make: |slots| Action::Insert(slots.list(), String::new()),
            meaning: "Inserts the value of an entity of the list into the input, after what was consumed, so that it \
                is read next. The name of the entity is the temporary buffer without the first character.",
            wordings: ["put the value of the entity at the front of the input"],
        }
        "insert <list> escaping <string>" {
            is: Action::Insert(..),
            make: |slots| Action::Insert(slots.list(), slots.string()),
            meaning: "Like `insert <list>`, but writes the characters of the string as numeric character references.",
            wordings: ["put the value of the entity at the front of the input, with {string} escaped"],
        }
        "<action>" {
            makes: Defined,
            meaning: "Runs the steps of the action that the table declares with this name.",
        }
    }
}
