"""The tree and tokenizer suites of html5lib, through the Python API alone: trees are dumped by walking nodes, and tokens come from
``tokens``. Known failures are those of the Rust side, listed by input in ``tests/suites/known``."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytabulex
import pytest
from support import ROOT, suite
from pytabulex import Document, Node

KNOWN = ROOT / "tests/suites/known"

NAMESPACES = {
    "http://www.w3.org/2000/svg": "svg ",
    "http://www.w3.org/1998/Math/MathML": "math ",
}


def dump(node: Node, depth: int = 0) -> Iterator[str]:
    """Returns the lines for the children of a node in the suite's dump format."""
    margin = "| " + "  " * depth
    for child in node:
        match child.kind:
            case "text":
                yield f'{margin}"{child.data}"'
            case "comment":
                yield f"{margin}<!-- {child.data} -->"
            case "processing_instruction":
                yield f"{margin}<?{child.target} {child.data}?>"
            case "doctype":
                ids = f' "{child.public_id or ""}" "{child.system_id or ""}"'
                has_ids = child.public_id is not None or child.system_id is not None
                yield f"{margin}<!DOCTYPE {child.name}{ids if has_ids and any((child.public_id, child.system_id)) else ''}>"
            case "element":
                yield f"{margin}<{NAMESPACES.get(child.namespace or '', '')}{child.tag}>"
                named = []
                for attribute in child.attributes:
                    prefix = f"{attribute.prefix} " if attribute.prefix else ""
                    named.append(f'{margin}  {prefix}{attribute.local_name}="{attribute.value}"')
                yield from sorted(named, key=lambda line: line.strip("| ").encode("utf-16-be"))
                if child.template_contents is not None:
                    yield f"{margin}  content"
                    yield from dump(child.template_contents, depth + 2)
                yield from dump(child, depth + 1)
            case other:
                raise AssertionError(other)


def cases(text: str) -> Iterator[dict[str, str]]:
    """Yields the cases of a file of the tree suite, as sections by heading."""
    heading = re.compile(r"#(data|errors|new-errors|document-fragment|document|script-on|script-off)$")
    case: dict[str, list[str]] = {}
    part = ""
    for line in text.split("\n"):
        found = heading.match(line)
        if found and not (found[1] == "data" and part == "data"):
            part = found[1]
            if part == "data":
                if case:
                    yield {name: "\n".join(lines) for name, lines in case.items()}
                case = {}
            case[part] = []
        elif case:
            case[part].append(line)
    if case:
        yield {name: "\n".join(lines) for name, lines in case.items()}


def known(name: str) -> list[str]:
    file = KNOWN / f"{name}.json"
    return [entry["input"] for entry in json.loads(file.read_text())]


def parsed(case: dict[str, str], scripting: bool) -> Document:
    if "document-fragment" in case:
        return pytabulex.parse_fragment(case["data"], case["document-fragment"].strip(), scripting=scripting)
    return pytabulex.parse(case["data"], scripting=scripting)


def test_trees() -> None:
    folder = suite("html5lib") / "tree-construction"
    runs, failed = 0, []
    for file in sorted(folder.glob("*.dat")):
        if file.name.startswith("scripted"):
            continue
        for case in cases(file.read_bytes().decode()):
            wanted = case["document"].rstrip("\n")
            for scripting in (False, True):
                if "script-on" in case and not scripting or "script-off" in case and scripting:
                    continue
                runs += 1
                document = parsed(case, scripting)
                walked = "\n".join(dump(document.root))
                if walked != wanted:
                    failed.append(case["data"])
                # The dump by the Rust side must be equal.
                assert document.dump().rstrip("\n").replace("\r", "") == walked.replace("\r", ""), case["data"]
    excused = set(known("html5lib-trees"))
    print(f"html5lib trees: {runs} runs, {len(failed)} known to fail")
    assert runs >= 1916
    assert sorted(set(failed)) == sorted(excused)


def unescaped(value: object) -> object:
    if isinstance(value, str):
        text = re.sub(r"\\u([0-9A-Fa-f]{4})", lambda found: chr(int(found[1], 16)), value)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    if isinstance(value, list):
        return [unescaped(one) for one in value]
    if isinstance(value, dict):
        return {unescaped(name): unescaped(one) for name, one in value.items()}
    return value


def joined(tokens: list[list[object]]) -> list[list[object]]:
    made: list[list[object]] = []
    for token in tokens:
        if made and made[-1][0] == token[0] == "Character":
            made[-1] = ["Character", f"{made[-1][1]}{token[1]}"]
        else:
            made.append(token)
    return made


def as_json(token: pytabulex.Token) -> list[object]:
    match token.kind:
        case "text":
            return ["Character", token.data]
        case "comment":
            return ["Comment", token.data]
        case "start_tag":
            flag = [True] if token.self_closing else []
            return ["StartTag", token.name, token.attrs, *flag]
        case "end_tag":
            return ["EndTag", token.name]
        case "doctype":
            return ["DOCTYPE", token.name, token.public_id, token.system_id, not token.force_quirks]
        case "processing_instruction":
            return ["PI", token.name, token.data]
        case other:
            raise AssertionError(other)


def code_units(text: str, line: int, column: int) -> tuple[int, int]:
    """Converts a column to UTF-16 code units, which the suite counts."""
    before = re.split("\r\n|\r|\n", text)[line - 1][: column - 1]
    return line, column + sum(ord(one) > 0xFFFF for one in before)


def tokenizer_runs(file: Path) -> Iterator[tuple[dict[str, Any], str]]:
    content = json.loads(file.read_text(encoding="utf-8"))
    for test in content.get("tests", []) + content.get("xmlViolationTests", []):
        for state in test.get("initialStates", ["Data state"]):
            yield test, state


def test_tokens() -> None:
    folder = suite("html5lib") / "tokenizer"
    runs, failed = 0, []
    for file in sorted(folder.glob("*.test")):
        if file.name == "xmlViolation.test":
            # What a tree for XML does with tokens does not concern the tokenizer.
            continue
        for test, state in tokenizer_runs(file):
            runs += 1
            text, output = test["input"], test["output"]
            if test.get("doubleEscaped"):
                text, output = unescaped(text), unescaped(output)
            assert isinstance(text, str) and isinstance(output, list)
            name = re.sub("[^a-z]+", "-", state.lower()).strip("-").removesuffix("-state")
            found = pytabulex.tokens(
                text, raw=True, keep_byte_order_mark=True, state=name, last_start_tag=test.get("lastStartTag")
            )
            tokens = joined([as_json(token) for token in found])
            errors = [(one.code, *code_units(text, one.line, one.column)) for one in found.errors]
            wanted = [(one["code"], one["line"], one["col"]) for one in test.get("errors", [])]
            if tokens != joined(output) or sorted(errors) != sorted(wanted):
                failed.append(test["input"])
    excused = known("html5lib-living")
    print(f"html5lib tokens: {runs} runs, {len(failed)} known to fail")
    assert runs >= 7000
    assert [one for one in failed if one not in excused] == []


def test_tokens_and_trees_of_every_dialect() -> None:
    dialects = pytabulex.dialects()
    assert len(dialects) > 6
    for dialect in dialects:
        if dialect == "webvtt-file":
            tokens = list(pytabulex.tokens("WEBVTT\n\n00:01.000 --> 00:02.000\nd\n", dialect=dialect))
            assert [(one.kind, one.name, (one.attrs or {})["text"]) for one in tokens] == [("declared", "cue", "d")]
            with pytest.raises(ValueError, match="builds no trees"):
                pytabulex.parse("WEBVTT", dialect=dialect)
            continue
        # Tags in cue text have no attributes.
        markup, attributes = ("<i>d</i>", {}) if dialect == "webvtt" else ("<i b='c'>d</i>", {"b": "c"})
        document = pytabulex.parse(markup, dialect=dialect)
        found = [node for node in document.descendants() if node.tag == "i" and node.attrs == attributes]
        assert len(found) == 1 and document.dialect == dialect
        token = next(iter(pytabulex.tokens(markup, dialect=dialect)))
        assert (token.kind, token.name) == ("start_tag", "i") and dict(token.attrs or {}) == attributes
