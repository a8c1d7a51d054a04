//! The places of a file at which a small change can be made, and the file with all of them in it. It builds nothing.
//! Invariant: with no change chosen, the file that is written does what the one that was read does.

use crate::Failure;
use proc_macro2::Span;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Lit, ReturnType, Stmt, Type, UnOp};

/// A change.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// What chooses it; unique in a build.
    pub(super) id: u32,
    /// The file, from the root.
    pub(super) file: String,
    /// The line, from 1.
    pub(super) line: usize,
    /// What is changed and how, in a line; of those that read the same on one line of text, all but the first are numbered.
    pub(super) about: String,
    /// The line's text, by which the change is known when lines move.
    pub(super) text: String,
    /// The function that it is in, `Type::function` or `function`; of one in another one, the inner one.
    pub(super) function: String,
}

/// Texts put around a range of the file.
struct Edit {
    range: Range<usize>,
    before: String,
    after: String,
    point: Point,
}

/// A longer expression is not written a second time.
const LONGEST: usize = 240;

/// Calls that only make room, or give it back: neither they nor what they are given changes what comes out.
const ROOM: [&str; 4] = ["with_capacity", "reserve", "reserve_exact", "shrink_to_fit"];
/// What only counts work, for tests that hold it: adding to it changes nothing else.
const WORK: &str = "steps";

/// The file with all changes but the refused ones in it, and these changes; numbers go on from `next`.
pub(super) fn changed(
    file: &str,
    text: &str,
    next: &mut u32,
    refused: &dyn Fn(&Point) -> bool,
) -> Result<(String, Vec<Point>), Failure> {
    let tree = syn::parse_file(text).map_err(|error| format!("{file}: {error}"))?;
    let mut finder = Finder {
        file,
        text,
        next: *next,
        edits: Vec::new(),
        names: HashMap::new(),
        of: String::new(),
        function: String::new(),
    };
    finder.visit_file(&tree);
    *next = finder.next;
    let mut edits = finder.edits;
    edits.retain(|edit| !refused(&edit.point));
    // Outer ones first; of equal ranges the one that was found first is the outer one.
    edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
    let mut written = String::new();
    write(text, 0..text.len(), &edits, &mut written);
    Ok((written, edits.into_iter().map(|edit| edit.point).collect()))
}

/// Writes a range of the text with the edits in it.
fn write(text: &str, range: Range<usize>, mut edits: &[Edit], out: &mut String) {
    let mut at = range.start;
    while let Some((edit, rest)) = edits.split_first() {
        out.push_str(&text[at..edit.range.start]);
        out.push_str(&edit.before);
        let inner = rest
            .iter()
            .take_while(|other| {
                other.range.end <= edit.range.end && other.range.start < edit.range.end
            })
            .count();
        write(text, edit.range.clone(), &rest[..inner], out);
        out.push_str(&edit.after);
        at = edit.range.end;
        edits = &rest[inner..];
    }
    out.push_str(&text[at..range.end]);
}

struct Finder<'a> {
    file: &'a str,
    text: &'a str,
    next: u32,
    edits: Vec<Edit>,
    /// How often a change of this line's text was named so.
    names: HashMap<(String, String), usize>,
    /// The type whose functions are looked at, with `::`; empty outside of one.
    of: String,
    /// The function that is looked at.
    function: String,
}

impl Finder<'_> {
    fn add(&mut self, span: Span, about: String, edit: impl FnOnce(&str) -> (String, String)) {
        let range = span.byte_range();
        let id = self.next;
        self.next += 1;
        let (before, after) = edit(&format!("crate::__chosen::is({id})"));
        let line = self.text[..range.start].matches('\n').count() + 1;
        let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = joined(self.text.lines().nth(line - 1).unwrap_or_default());
        let mut about = joined(&about);
        let count = self.names.entry((text.clone(), about.clone())).or_default();
        *count += 1;
        if *count > 1 {
            about += &format!(" ({count})");
        }
        let (file, function) = (self.file.to_owned(), self.function.clone());
        let point = Point { id, file, line, about, text, function };
        self.edits.push(Edit { range, before, after, point });
    }

    fn source(&self, span: Span) -> &str {
        &self.text[span.byte_range()]
    }

    /// A condition, which can be turned around.
    fn condition(&mut self, condition: &Expr) {
        if has_let(condition) {
            return;
        }
        let about = format!("`{}` turned around", self.source(condition.span()));
        self.add(condition.span(), about, |chosen| (format!("({chosen} != ("), "))".to_owned()));
    }

    fn binary(&mut self, binary: &syn::ExprBinary) {
        let (left, right) = (
            self.source(binary.left.span()).to_owned(),
            self.source(binary.right.span()).to_owned(),
        );
        if left.len() + right.len() > LONGEST {
            return;
        }
        let other = match binary.op {
            BinOp::And(_) | BinOp::Or(_) => return self.operands(binary),
            BinOp::Eq(_) => "!=",
            BinOp::Ne(_) => "==",
            BinOp::Lt(_) => "<=",
            BinOp::Le(_) => "<",
            BinOp::Gt(_) => ">=",
            BinOp::Ge(_) => ">",
            BinOp::Add(_) => "-",
            BinOp::Sub(_) => "+",
            BinOp::Mul(_) => "+",
            BinOp::Div(_) | BinOp::Rem(_) => "*",
            BinOp::BitAnd(_) => "|",
            BinOp::BitOr(_) => "&",
            BinOp::BitXor(_) => "|",
            BinOp::Shl(_) => ">>",
            BinOp::Shr(_) => "<<",
            _ => return,
        };
        let about = format!("`{}` is `{left} {other} {right}`", self.source(binary.span()));
        self.add(binary.span(), about, |chosen| {
            (format!("(if {chosen} {{ ({left}) {other} ({right}) }} else {{ "), " })".to_owned())
        });
    }

    /// Each operand of `&&` and `||` can be left out.
    fn operands(&mut self, binary: &syn::ExprBinary) {
        let is_and = matches!(binary.op, BinOp::And(_));
        for operand in [&*binary.left, &*binary.right] {
            // Those of the same operator are left out one by one.
            let is_nested = matches!(operand, Expr::Binary(inner) if matches!(inner.op, BinOp::And(_)) == is_and && matches!(inner.op, BinOp::And(_) | BinOp::Or(_)));
            if is_nested || has_let(operand) {
                continue;
            }
            let about = format!("without the operand `{}`", self.source(operand.span()));
            self.add(operand.span(), about, |chosen| {
                if is_and {
                    (format!("({chosen} || ("), "))".to_owned())
                } else {
                    (format!("(!{chosen} && ("), "))".to_owned())
                }
            });
        }
    }

    fn literal(&mut self, literal: &syn::ExprLit) {
        let text = self.source(literal.span()).to_owned();
        match &literal.lit {
            Lit::Int(number) => {
                let Ok(value) = number.base10_parse::<u64>() else { return };
                let other =
                    format!("{}{}", if value == 0 { 1 } else { value - 1 }, number.suffix());
                let about = format!("`{text}` is `{other}`");
                self.add(literal.span(), about, |chosen| {
                    (format!("(if {chosen} {{ {other} }} else {{ "), " })".to_owned())
                });
            }
            Lit::Bool(value) => {
                let about = format!("`{text}` is `{}`", !value.value);
                self.add(literal.span(), about, |chosen| {
                    (format!("({chosen} != "), ")".to_owned())
                });
            }
            _ => {}
        }
    }

    /// A statement that is run for what it does.
    fn statement(&mut self, statement: &Stmt) {
        let Stmt::Expr(expression, Some(_)) = statement else { return };
        if is_room(expression) || counts_work(expression) {
            return;
        }
        let is_assignment = match expression {
            Expr::MethodCall(_) | Expr::Call(_) => false,
            Expr::Assign(assign) => !matches!(*assign.left, Expr::Infer(_)),
            Expr::Binary(_) => true,
            _ => return,
        };
        let about = format!(
            "without `{}`{}",
            self.source(statement.span()),
            if is_assignment { "" } else { ", the call" }
        );
        self.add(statement.span(), about, |chosen| (format!("if !{chosen} {{ "), " }".to_owned()));
    }

    /// A function, which can return at once, and what is in it.
    fn function(&mut self, signature: &syn::Signature, block: &Block) {
        let name = format!("{}{}", self.of, signature.ident);
        let outer = std::mem::replace(&mut self.function, name);
        if !block.stmts.is_empty() {
            self.returns(signature, block);
        }
        visit::visit_block(self, block);
        self.function = outer;
    }

    /// A function that has statements returns before the first one.
    fn returns(&mut self, signature: &syn::Signature, block: &Block) {
        let values: &[&str] = match &signature.output {
            ReturnType::Default => &[""],
            ReturnType::Type(_, of) => match &**of {
                Type::Path(path) => match path
                    .path
                    .segments
                    .last()
                    .map(|segment| segment.ident.to_string())
                    .as_deref()
                {
                    Some("bool") => &["true", "false"],
                    Some("Option") => &["None"],
                    Some("usize" | "u64" | "u32" | "u16" | "u8") => &["0", "1"],
                    _ => &[],
                },
                _ => &[],
            },
        };
        let start = block.stmts[0].span();
        for value in values {
            let about = format!("`{}` returns {value} at once", signature.ident);
            // Around the first statement: nothing after it, so that its own edits stand where they stood.
            self.add(start, about, |chosen| {
                (format!("if {chosen} {{ return {value}; }} "), String::new())
            });
        }
    }
}

/// Whether the condition binds names.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// Whether it is a call that only makes room, or gives it back.
fn is_room(expression: &Expr) -> bool {
    let name = match expression {
        Expr::MethodCall(call) => Some(&call.method),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
            _ => None,
        },
        _ => None,
    };
    name.is_some_and(|name| ROOM.iter().any(|room| name == room))
}

/// Whether something is added to a count of work.
fn counts_work(expression: &Expr) -> bool {
    let Expr::Binary(binary) = expression else { return false };
    let is_count = match &*binary.left {
        Expr::Field(field) => matches!(&field.member, syn::Member::Named(name) if name == WORK),
        Expr::Path(path) => path.path.is_ident(WORK),
        _ => false,
    };
    is_count && matches!(binary.op, BinOp::AddAssign(_))
}

/// The name of the type that functions are written for.
fn name_of(written: &Type) -> String {
    match written {
        Type::Path(path) => {
            path.path.segments.last().map(|last| format!("{}::", last.ident)).unwrap_or_default()
        }
        Type::Reference(reference) => name_of(&reference.elem),
        _ => String::new(),
    }
}

/// Whether the item is for tests alone.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let outer = std::mem::replace(&mut self.of, name_of(&item.self_ty));
        visit::visit_item_impl(self, item);
        self.of = outer;
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let outer = std::mem::replace(&mut self.of, format!("{}::", item.ident));
        visit::visit_item_trait(self, item);
        self.of = outer;
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.sig.constness.is_none() && !is_test(&item.attrs) {
            self.function(&item.sig, &item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if item.sig.constness.is_none() && !is_test(&item.attrs) {
            self.function(&item.sig, &item.block);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }

    // What is computed at build time calls nothing.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.condition(&branch.cond);
        visit::visit_expr_if(self, branch);
    }

    fn visit_expr_while(&mut self, repeat: &'ast syn::ExprWhile) {
        self.condition(&repeat.cond);
        visit::visit_expr_while(self, repeat);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.condition(guard);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        self.statement(statement);
        visit::visit_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::MethodCall(call) if is_room(expression) => {
                return self.visit_expr(&call.receiver);
            }
            _ if is_room(expression) || counts_work(expression) => return,
            Expr::Binary(binary) => self.binary(binary),
            Expr::Lit(literal) => self.literal(literal),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                let inner = self.source(unary.expr.span()).to_owned();
                let about = format!("`!{inner}` without `!`");
                if inner.len() < LONGEST {
                    self.add(expression.span(), about, |chosen| {
                        (format!("(if {chosen} {{ {inner} }} else {{ "), " })".to_owned())
                    });
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_only_makes_room_or_counts_work_stays() {
        let text =
            "fn f() { list().reserve_exact(2 + n); self.steps += 1; g(Vec::with_capacity(8)); }
            impl<T> A<T> { fn b() { steps += 2; list.shrink_to_fit(); c(); } }";
        let (_, points) = super::changed("f.rs", text, &mut 0, &|_| false).unwrap();
        let found: Vec<_> =
            points.iter().map(|point| (&point.function[..], &point.about[..])).collect();
        let wanted = [
            ("f", "`f` returns at once"),
            ("f", "without `g(Vec::with_capacity(8));`, the call"),
            ("A::b", "`b` returns at once"),
            ("A::b", "without `c();`, the call"),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_change_is_beside_what_it_changes() {
        let text = "fn f(a: u8, b: bool) -> bool { g(a); if a < 2 && !b { return true; } b }";
        let (written, points) = super::changed("f.rs", text, &mut 7, &|_| false).unwrap();
        let abouts: Vec<&str> = points.iter().map(|point| &point.about[..]).collect();
        for about in [
            "`f` returns true at once",
            "without `g(a);`, the call",
            "`a < 2 && !b` turned around",
            "without the operand `a < 2`",
            "`a < 2` is `a <= 2`",
            "`2` is `1`",
            "`!b` without `!`",
            "`true` is `false`",
        ] {
            assert!(abouts.contains(&about), "{about}: {abouts:#?}");
        }
        assert!(written.contains("if crate::__chosen::is(7) { return true; }"), "{written}");
        assert!(syn::parse_file(&written).is_ok(), "{written}");
        let (same, points) = super::changed("f.rs", text, &mut 0, &|_| true).unwrap();
        assert_eq!((&same[..], points.len()), (text, 0));
    }
}
