//! Native functions behind document.js: each performs one operation on a page's tree, or passes a text to its parser.
//! Nodes are numbers, and null if there is none. Errors of the tree are thrown to the script.

use crate::page::{Page, run_all, with_page};
use boa_engine::native_function::NativeFunctionPointer;
use boa_engine::{
    Context, JsArgs as _, JsError, JsNativeError, JsResult, JsString, JsValue, NativeFunction,
};
use tabulex::tree::{HierarchyError, Namespace, NodeId, NodeKind};
use tabulex::{Options, html};

/// The native functions: their names in scripts, numbers of arguments, and implementations.
const FUNCTIONS: &[(&str, usize, NativeFunctionPointer)] = &[
    ("tabulex_attribute", 2, attribute),
    ("tabulex_create_element", 1, create_element),
    ("tabulex_create_text", 1, create_text),
    ("tabulex_current_script", 0, current_script),
    ("tabulex_detach", 1, detach),
    ("tabulex_document", 0, document),
    ("tabulex_inner", 1, inner),
    ("tabulex_insert", 3, insert),
    ("tabulex_kind", 1, kind),
    ("tabulex_name", 1, name),
    ("tabulex_next", 2, next),
    ("tabulex_remove_attribute", 2, remove_attribute),
    ("tabulex_set_attribute", 3, set_attribute),
    ("tabulex_set_inner", 2, set_inner),
    ("tabulex_set_text", 2, set_text),
    ("tabulex_text", 1, text),
    ("tabulex_write", 1, write),
];

/// Registers the native functions in a context.
pub(crate) fn register(context: &mut Context) -> JsResult<()> {
    for &(name, arguments, function) in FUNCTIONS {
        let function = NativeFunction::from_fn_ptr(function);
        context.register_global_callable(JsString::from(name), arguments, function)?;
    }
    Ok(())
}

/// Returns the exception for an argument that is not a node.
fn not_a_node(index: usize) -> JsError {
    JsNativeError::typ().with_message(format!("argument {index} is not a node")).into()
}

/// Returns the node of an argument, or `None` for null.
fn node_or_null(args: &[JsValue], index: usize) -> JsResult<Option<NodeId>> {
    let argument = args.get_or_undefined(index);
    if argument.is_null() {
        return Ok(None);
    }
    let node = argument
        .as_number()
        .and_then(|number| with_page(|page| page.nodes.get(number as usize).copied()));
    node.map(Some).ok_or_else(|| not_a_node(index))
}

/// Returns the node of an argument, which must not be null.
fn node(args: &[JsValue], index: usize) -> JsResult<NodeId> {
    node_or_null(args, index)?.ok_or_else(|| not_a_node(index))
}

/// Returns an argument converted to a string.
fn string(args: &[JsValue], index: usize, context: &mut Context) -> JsResult<String> {
    Ok(args.get_or_undefined(index).to_string(context)?.to_std_string_lossy())
}

/// Converts a node to its number, or to null.
fn js_node(page: &mut Page, node: Option<NodeId>) -> JsValue {
    node.map_or_else(JsValue::null, |node| JsValue::from(page.number(node) as u32))
}

/// Converts a text to a string of JavaScript.
fn js_string(text: &str) -> JsValue {
    JsValue::from(JsString::from(text))
}

/// Converts the result of a change of the tree to `undefined` or an exception.
fn to_js_result(result: Result<(), HierarchyError>) -> JsResult<JsValue> {
    let to_exception =
        |error: HierarchyError| JsNativeError::error().with_message(error.to_string());
    result.map(|()| JsValue::undefined()).map_err(|error| to_exception(error).into())
}

fn attribute(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (element, name) = (node(args, 0)?, string(args, 1, context)?);
    Ok(with_page(|page| {
        let value = page.parser.sink().node(element).attribute(&name);
        value.map_or_else(JsValue::null, js_string)
    }))
}

fn create_element(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let name = string(args, 0, context)?;
    Ok(with_page(|page| {
        let element = page.parser.sink_mut().create_element(Namespace::HTML, &name);
        js_node(page, Some(element))
    }))
}

fn create_text(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = string(args, 0, context)?;
    Ok(with_page(|page| {
        let text = page.parser.sink_mut().create_text(&text);
        js_node(page, Some(text))
    }))
}

fn current_script(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    Ok(with_page(|page| {
        let script = page.running_scripts.last().copied();
        js_node(page, script)
    }))
}

fn detach(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let node = node(args, 0)?;
    with_page(|page| page.parser.sink_mut().detach(node));
    Ok(JsValue::undefined())
}

fn document(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    Ok(with_page(|page| {
        let root = page.parser.sink().root().id();
        js_node(page, Some(root))
    }))
}

fn inner(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let element = node(args, 0)?;
    let serialize =
        |page: &mut Page| js_string(&html::serializer().inner(page.parser.sink().node(element)));
    Ok(with_page(serialize))
}

/// Inserts the second node into the first one, before the third one or at the end.
fn insert(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let (parent, child, sibling) = (node(args, 0)?, node(args, 1)?, node_or_null(args, 2)?);
    to_js_result(with_page(|page| {
        let tree = page.parser.sink_mut();
        match sibling {
            None => tree.append(parent, child),
            Some(sibling) => tree.insert_before(sibling, child),
        }
    }))
}

fn kind(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let node = node(args, 0)?;
    let kind = with_page(|page| page.parser.sink().node(node).kind());
    Ok(js_string(match kind {
        NodeKind::Document => "document",
        NodeKind::Element => "element",
        // document.js represents nodes of every other kind as plain `Node` objects.
        _ => "node",
    }))
}

fn name(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let node = node(args, 0)?;
    Ok(with_page(|page| {
        let name = page.parser.sink().node(node).local_name();
        name.map_or_else(JsValue::null, js_string)
    }))
}

fn next(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (from, direction) = (node(args, 0)?, string(args, 1, context)?);
    let find_relative = |page: &mut Page| {
        let node = page.parser.sink().node(from);
        let relative = match &*direction {
            "parent" => node.parent(),
            "first" => node.first_child(),
            "last" => node.last_child(),
            "previous" => node.previous_sibling(),
            "next" => node.next_sibling(),
            other => unreachable!("unknown direction `{other}`"),
        };
        let relative = relative.map(|node| node.id());
        js_node(page, relative)
    };
    Ok(with_page(find_relative))
}

fn remove_attribute(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (element, name) = (node(args, 0)?, string(args, 1, context)?);
    with_page(|page| page.parser.sink_mut().remove_attribute(element, &name));
    Ok(JsValue::undefined())
}

fn set_attribute(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (element, name) = (node(args, 0)?, string(args, 1, context)?);
    let value = string(args, 2, context)?;
    with_page(|page| page.parser.sink_mut().set_attribute(element, &name, &value).unwrap());
    Ok(JsValue::undefined())
}

fn set_inner(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (element, markup) = (node(args, 0)?, string(args, 1, context)?);
    let options = Options::new().scripting(true);
    let set = |page: &mut Page| html::set_inner(page.parser.sink_mut(), element, &markup, &options);
    to_js_result(with_page(set).map(|_| ()))
}

fn set_text(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (node, text) = (node(args, 0)?, string(args, 1, context)?);
    with_page(|page| page.parser.sink_mut().set_text(node, &text));
    Ok(JsValue::undefined())
}

fn text(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let node = node(args, 0)?;
    Ok(with_page(|page| js_string(&page.parser.sink().node(node).text())))
}

/// Implements `document.write`: scripts in the text run before it returns.
fn write(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = string(args, 0, context)?;
    let script = with_page(|page| page.parser.write_text(&text));
    run_all(script, context);
    Ok(JsValue::undefined())
}
