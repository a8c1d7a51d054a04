//! The actions of states and lexical modes.

use super::forms;
use crate::model::{
    Edit, EntityList, ErrorId, Field, FieldId, FlagId, Register, StateId, Text, TokenFlag, TokenId,
    TokenKind,
};

forms! {
    /// All actions that a row of a state or lexical mode can contain.
    ACTIONS: "action";
    /// An action of a row.
    Action: Actions;
    variants {
        /// Edits the text of a field.
        Edit(Field, Edit),
        /// Sets or clears the additional allowed character.
        SetAdditionalAllowedCharacter(Option<char>),
        /// Inserts into the input the value of the entity whose name follows the first character of the temporary
        /// buffer. Characters of the value that occur in the string are inserted as numeric character references.
        Insert(EntityList, String),
    }
    list "actions" {
        "switch <state>" => Switch(state: StateId),
            "Switches to the state.",
            ["switch to the {state}", "switch the tokenizer to the {state}"];
        "switch return-state" => SwitchReturnState,
            "Switches to the return state.",
            ["switch to the return state", "switch back to the {state} that switched into this state"];
        "switch pushed-state" => SwitchPushedState,
            "Pops the state that was pushed last, and switches to it; if the stack of states is empty, \
                switches to the start state of the machine.";
        "push-state <state>" => PushState(state: StateId),
            "Pushes the state onto the stack of states, to return to it. If the stack has reached the \
                capacity that `pushed-states` declares, reports its error and only counts the state: as many `switch \
                pushed-state` then switch to the last state on the stack without popping it.";
        "reconsume" => Reconsume,
            "Gives back what the row consumed, for the next state.",
            [
                "reconsume the current input character",
                "reconsume the character",
                "reconsume the EOF character",
            ];
        "reconsume <state>" several |slots| vec![Action::Switch(slots.state()), Action::Reconsume],
            "Short for `switch <state>; reconsume;`.",
            ["reconsume in the {state}"];
        "ignore" => Ignore,
            "Does nothing.",
            ["ignore the character", "stay in this state", "stay in the current state"];
        "as else" => AsElse,
            "Runs the steps of the `else` row; only `reconsume` can follow it.",
            ["treat it as per the \"anything else\" entry below"];
        "error <error>" => Error(error: ErrorId),
            "Reports a parse error with this code, at the character that the row consumed, or the last of \
                several.",
            ["parse error", "this is a parse error", "this is an {error} parse error"];
        "error <error> after" => ErrorAfter(error: ErrorId),
            "Reports a parse error with this code, after what the row consumed, because something is missing \
                there.",
            ["then this is an {error} parse error"];
        "create <token>" => Create(token: TokenKind),
            "Creates an empty token, which becomes the current one of its kind.",
            [
                "create a new {token} token",
                "create a {token} token",
                "create a {token} token whose data is the empty string",
            ];
        "start-attribute" => StartAttribute,
            "Starts an attribute with an empty name and value, which becomes the current one of the current tag.",
            ["start a new attribute in the current tag token", "create a new attribute in the tag token"];
        "drop-duplicate-attribute <error>" => DropDuplicateAttribute(error: ErrorId),
            "If an earlier attribute of the tag has the name of the current one, reports a parse error with \
                this code and drops the current attribute from the tag. It remains the current one.",
            [
                "if there is already an attribute on the token with the exact same name, then this is a parse error \
                    and the new attribute must be removed from the token",
            ];
        "append <text> to <field>" => Append(text: Text, field: Field),
            "Appends the text to the field. This is also used for \"set the name to …\" of a new token.",
            [
                "append {text} to {field}",
                "set its {field} to {text}",
                "set that attribute's name to {text}",
            ];
        "set <field> <string>" => Set(field: Field, string: String),
            "Sets the field to this string; the field is then no longer missing.",
            ["set {field} to the empty string", "set {field} to the empty string (not missing)"];
        "strip-and-collapse <class> in <field>" one |slots| {
            let class = slots.class();
            Action::Edit(slots.field(), Edit::StripAndCollapse(class))
        },
            "Removes characters of the class from the start and the end of the field, and replaces each \
                sequence of them within it by one space.";
        "escape <class> in <field> by <character>" one |slots| {
            let (class, field) = (slots.class(), slots.field());
            Action::Edit(field, Edit::Escape(class, slots.character()))
        },
            "Replaces each character of the class in the field by its bytes in UTF-8, each written as the \
                character and two uppercase hexadecimal digits.";
        "unescape <character> in <field>" one |slots| {
            let character = slots.character();
            Action::Edit(slots.field(), Edit::Unescape(character))
        },
            "Replaces the character and two hexadecimal digits by the byte with that number, and decodes the \
                bytes of the field as UTF-8, with U+FFFD for invalid ones.";
        "cut <field> from-last <character>" one
            |slots| Action::Edit(slots.field(), Edit::CutFromLast(slots.character())),
            "Removes the last occurrence of the character in the field and everything after it; if there is \
                none, clears the field.";
        "replace-first <string> in <field> by <string>" one |slots| {
            let (from, field) = (slots.string(), slots.field());
            Action::Edit(field, Edit::ReplaceFirst(from, slots.string()))
        },
            "Replaces the first occurrence of the first string in the field by the second one.";
        "run <state> on <field>" one |slots| {
            let state = slots.state();
            Action::Edit(slots.field(), Edit::Run(state))
        },
            "Runs the machine on the text of the field, starting in the state, which must be declared by \
                `entry`. The field is set to the first field of the first declared token that is emitted, and is \
                missing if there is none. Errors in the text are reported where the row reports errors.";
        "convert <field> by-host <string>" one |slots| Action::Edit(slots.field(), Edit::ByHost(slots.string())),
            "Sets the field to the result of the host's function of this name. The field is missing if the \
                function fails or does not exist.";
        "lowercase <field>" one |slots| Action::Edit(slots.field(), Edit::Lowercase),
            "Converts ASCII letters in the field to lowercase.";
        "unset <field>" one |slots| Action::Edit(slots.field(), Edit::Unset),
            "Makes the field empty and missing, as after the creation of the token.";
        "remember-place" => RememberPlace,
            "Remembers the position after what the row consumed, instead of a position remembered before.";
        "go-back" => GoBack,
            "Continues at the remembered position and forgets it; if there is none, at the start of the \
                input. Has no effect if the position is not after the last one returned to, so that every run ends.";
        "set <token-flag>" => SetTokenFlag(token_flag: TokenFlag),
            "Sets the flag of the current token; `incorrect` is the older name of `force-quirks`.",
            ["set the {token-flag} of the current tag token", "set its {token-flag} to on"];
        "set <flag> <value>" => SetFlag(flag: FlagId, value: u8),
            "Sets the declared flag to this value.",
            ["set the {flag} to {value}"];
        "increase <counter>" => Increase(counter: FlagId),
            "Increments the counter; at its declared maximum, reports its error instead.";
        "decrease <counter>" => Decrease(counter: FlagId),
            "Decrements the counter, unless it is 0.";
        "set return-state <state>" => SetReturnState(state: StateId),
            "Sets the return state.",
            ["set the return state to the {state}"];
        "set additional-allowed-character <character>" one
            |slots| Action::SetAdditionalAllowedCharacter(Some(slots.character())),
            "Sets the additional allowed character.",
            ["switch to the {state}, with the additional allowed character being {character}"];
        "unset additional-allowed-character" one |_| Action::SetAdditionalAllowedCharacter(None),
            "Clears the additional allowed character.",
            ["attempt to consume a character reference, with no additional allowed character"];
        "set character-reference-code <number>" => SetNumber(number: u32),
            "Sets the character reference code to this value.",
            ["set the character reference code to zero ({number})"];
        "add-digit <base>" => AddDigit(base: u8),
            "Multiplies the character reference code by the base and adds the current character as a digit, \
                up to the maximum of 32 bits.",
            [
                "interpret the string of characters as a number",
                "multiply the character reference code by {base}",
            ];
        "join-surrogates" => JoinSurrogates,
            "If the character reference code consists of a high surrogate, multiplied by 0x10000, and a low \
                one, replaces it by the character that they encode in UTF-16. Other numbers are unchanged.";
        "set character-reference-code <data> in-base <base>" => SetNumberToData(data: u8, base: u8),
            "Sets the character reference code to the data of the lexical token, parsed as a number in the \
                base, up to the maximum of 32 bits.",
            ["the associated number"];
        "match-reference <data>" => MatchReference(data: u8),
            "Treats the named character reference of this name as the one matched last.",
            ["the associated string is a valid character name"];
        "emit <text>" => EmitText(text: Text),
            "Emits the text as character tokens.",
            [
                "emit {text} as a character token",
                "emit a {text} character token",
                "emit the character tokens that were returned",
            ];
        "emit <register>" => EmitToken(register: Register),
            "Emits the current token of the register.",
            [
                "emit the current {register} token",
                "emit the {register} token",
                "emit that {register} token",
                "emit the token",
            ];
        "emit <declared-token> inside" => EmitInside(declared_token: TokenId),
            "Emits the current token of this kind as part of a token or text that is under construction, \
                whose range continues.";
        "emit end-of-file" => EmitEndOfFile,
            "Emits the end-of-file token at the current position, and stops the machine.",
            ["emit an end-of-file token"];
        "stop" => Stop,
            "Stops the machine at the current position without an end-of-file token, which means that the \
                input is rejected.",
            ["stop parsing"];
        "return nothing" => ReturnNothing,
            "Returns from the procedure without a result, and gives back everything that it consumed.",
            ["no characters are consumed, and nothing is returned", "nothing is returned"];
        "return <result>" => Return(returned: Text),
            "Returns from the procedure with these characters as the result.",
            [
                "return a {result} character token",
                "return one or two character tokens for the character(s) corresponding to the character reference \
                    name",
            ];
        "emit short-end-tag" => EmitShortEndTag,
            "Emits a short end tag, which has no name.",
            ["emit a short end tag token"];
        "begin-token" => BeginToken,
            "Begins the range of the next token or text with what the row consumes, so that characters \
                ignored before are not part of it.";
        "begin <declared-field>" => BeginField(declared_field: FieldId),
            "Begins the range of the field with what the row consumes, unless it has begun. Without this \
                action it begins with the first text that is appended, or at the switch to a state that only appends \
                the current character to it.";
        "start-declaration" => StartDeclaration,
            "Starts an attribute declaration with an empty attribute name, type and default value, which \
                becomes the current one.",
            ["start a new attribute in the current attribute declaration"];
        "collapse-declared-values" => CollapseDeclaredValues,
            "Marks the current attribute declaration. In values of its attribute, and in its default value, \
                leading and trailing spaces are then removed, and each sequence of spaces is replaced by one.";
        "append-declaration" => AppendDeclaration,
            "Appends the current attribute declaration to those of the tag name, unless there is one with its \
                attribute name. From then on, start tags of this name without the attribute get it with the default \
                value, if the declaration has one: a default, which may be empty, exists once text was set as or \
                appended to it.",
            ["append an attribute declaration"];
        "append-entity <list>" => AppendEntity(list: EntityList),
            "Appends the current entity to the list, unless the list has one with its name.",
            ["append an entity"];
        "insert <list>" one |slots| Action::Insert(slots.list(), String::new()),
            "Inserts the value of an entity of the list into the input, after what was consumed, so that it \
                is read next. The name of the entity is the temporary buffer without the first character.",
            ["put the value of the entity at the front of the input"];
        "insert <list> escaping <string>" one |slots| Action::Insert(slots.list(), slots.string()),
            "Like `insert <list>`, but writes the characters of the string as numeric character references.",
            ["put the value of the entity at the front of the input, with {string} escaped"];
        "<action>" is Defined,
            "Runs the steps of the action that the table declares with this name.";
    }
}
