// What parse5 makes of generated cases; `cargo xtask differences` runs it where `npm install parse5` was run in tests/bench.
// It compares nothing. Invariant: it reports each case, in the form of the Rust peers.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse, parseFragment, Tokenizer, TokenizerMode, html, defaultTreeAdapter } from 'parse5';

const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const manifest = new URL('../package.json', import.meta.resolve('parse5'));
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));

const STATES = {
    'data': TokenizerMode.DATA,
    'plaintext': TokenizerMode.PLAINTEXT,
    'rcdata': TokenizerMode.RCDATA,
    'rawtext': TokenizerMode.RAWTEXT,
    'script-data': TokenizerMode.SCRIPT_DATA,
    'cdata-section': TokenizerMode.CDATA_SECTION,
};

function tokens({ input, initialStates, lastStartTag, flags }) {
    const tokens = [];
    const errors = [];
    const text = ({ chars }) => {
        const last = tokens.at(-1);
        if (last?.[0] === 'Character') last[1] += chars;
        else tokens.push(['Character', chars]);
    };
    const handler = {
        onComment: ({ data }) => tokens.push(['Comment', data]),
        onDoctype: ({ name, publicId, systemId, forceQuirks }) => tokens.push(['DOCTYPE', name, publicId, systemId, !forceQuirks]),
        onStartTag: ({ tagName, attrs, selfClosing }) => {
            const attributes = Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
            tokens.push(['StartTag', tagName, attributes, ...(selfClosing ? [true] : [])]);
        },
        onEndTag: ({ tagName }) => tokens.push(['EndTag', tagName]),
        onEof: () => {},
        onCharacter: text,
        onNullCharacter: text,
        onWhitespaceCharacter: text,
        onParseError: ({ code }) => errors.push(code),
    };
    const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handler);
    tokenizer.state = STATES[initialStates[0]];
    tokenizer.lastStartTagName = lastStartTag ?? '';
    tokenizer.inForeignNode = flags?.['adjusted-current-node'] === 1;
    tokenizer.write(input, true);
    return { tokens, errors };
}

const NAMESPACES = { [html.NS.SVG]: 'svg ', [html.NS.MATHML]: 'math ', [html.NS.XLINK]: 'xlink ', [html.NS.XML]: 'xml ', [html.NS.XMLNS]: 'xmlns ' };

function dump(node, depth) {
    const line = (text, more = 0) => `| ${'  '.repeat(depth + more)}${text}\n`;
    const below = (node, more) => node.childNodes.map((child) => dump(child, depth + more)).join('');
    switch (node.nodeName) {
        case '#text': return line(`"${node.value}"`);
        case '#comment': return line(`<!-- ${node.data} -->`);
        case '#documentType': {
            const [publicId, systemId] = [node.publicId, node.systemId];
            return line(`<!DOCTYPE ${node.name}${publicId || systemId ? ` "${publicId}" "${systemId}"` : ''}>`);
        }
    }
    const attributes = node.attrs.map(({ name, namespace, value }) => `${NAMESPACES[namespace] ?? ''}${name}="${value}"`);
    let out = line(`<${NAMESPACES[node.namespaceURI] ?? ''}${node.tagName}>`);
    out += attributes.sort().map((attribute) => line(attribute, 1)).join('');
    if (node.content) out += line('content', 1) + below(node.content, 2);
    return out + below(node, 1);
}

function tree({ input, fragment, scripting }) {
    const options = { scriptingEnabled: scripting };
    let root;
    if (fragment === null) {
        root = parse(input, options);
    } else {
        const [, prefix, local] = /^(?:(svg|math) )?(.*)$/.exec(fragment);
        const namespace = { svg: html.NS.SVG, math: html.NS.MATHML }[prefix] ?? html.NS.HTML;
        root = parseFragment(defaultTreeAdapter.createElement(local, namespace, []), input, options);
    }
    return { tree: root.childNodes.map((child) => dump(child, 0)).join('') };
}

const lines = [];
for (const [of, run] of [['tokens', tokens], ['trees', tree]]) {
    cases[of].forEach((one, number) => lines.push(JSON.stringify({ peer: 'parse5', version, of, case: number, found: run(one) }) + '\n'));
}
process.stdout.write(lines.join(''));
