// What Chromium makes of generated cases of trees; `cargo xtask differences` runs it where Chromium is installed and
// `npm install --prefix xtask/explorer` was run. Tokens of a browser cannot be seen.
// It compares nothing. Invariant: it reports each case of trees, in the form of the Rust peers; no script of a case runs.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../../xtask/explorer/package.json', import.meta.url))('playwright-core');
const cases = JSON.parse(readFileSync(process.argv[2], 'utf8')).trees;
const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const page = await browser.newPage();
// Nothing is fetched, and the policy lets no script run, while the documents count as ones with scripting.
await page.route('**', (route) => {
    const headers = { 'Content-Security-Policy': "default-src 'none'" };
    return route.request().isNavigationRequest() && route.request().frame() === page.mainFrame()
        ? route.fulfill({ contentType: 'text/html', headers, body: '<!doctype html><title>cases</title>' })
        : route.abort();
});
await page.goto('http://localhost/');

/** Runs in the browser: the trees of the cases. */
function trees(cases) {
    const XMLNS = 'http://www.w3.org/2000/xmlns/';
    const URIS = { svg: 'http://www.w3.org/2000/svg', math: 'http://www.w3.org/1998/Math/MathML' };
    const NAMES = {
        [URIS.svg]: 'svg ', [URIS.math]: 'math ', [XMLNS]: 'xmlns ',
        'http://www.w3.org/1999/xlink': 'xlink ', 'http://www.w3.org/XML/1998/namespace': 'xml ',
    };
    const dump = (node, depth) => {
        const line = (text, more = 0) => `| ${'  '.repeat(depth + more)}${text}\n`;
        const below = (node, more) => [...node.childNodes].map((child) => dump(child, depth + more)).join('');
        switch (node.nodeType) {
            case Node.TEXT_NODE: return line(`"${node.data}"`);
            case Node.COMMENT_NODE: return line(`<!-- ${node.data} -->`);
            case Node.PROCESSING_INSTRUCTION_NODE: return line(`<?${node.target} ${node.data}?>`);
            case Node.DOCUMENT_TYPE_NODE: {
                const { name, publicId, systemId } = node;
                return line(`<!DOCTYPE ${name}${publicId || systemId ? ` "${publicId}" "${systemId}"` : ''}>`);
            }
        }
        const attributes = [...node.attributes].map((it) => `${NAMES[it.namespaceURI] ?? ''}${it.localName}="${it.value}"`);
        let out = line(`<${NAMES[node.namespaceURI] ?? ''}${node.localName}>`);
        out += attributes.sort().map((attribute) => line(attribute, 1)).join('');
        if (node.shadowRoot) out += line(`<template shadowrootmode=${node.shadowRoot.mode}>`, 1) + below(node.shadowRoot, 2);
        if (node.content?.nodeType === Node.DOCUMENT_FRAGMENT_NODE) out += line('content', 1) + below(node.content, 2);
        return out + below(node, 1);
    };
    const inert = new DOMParser().parseFromString('<!doctype html>', 'text/html');
    return cases.map(({ input, fragment, scripting }) => {
        let root;
        if (fragment !== null) {
            const [, prefix, local] = /^(?:(svg|math) )?(.*)$/.exec(fragment);
            const context = (scripting ? document : inert).createElementNS(URIS[prefix] ?? 'http://www.w3.org/1999/xhtml', local);
            context.innerHTML = input;
            root = context.content?.nodeType === Node.DOCUMENT_FRAGMENT_NODE ? context.content : context;
        } else if (scripting) {
            // A new frame for each: elements of a document written before do not outlive it.
            const frame = document.body.appendChild(document.createElement('iframe'));
            frame.contentDocument.open();
            frame.contentDocument.write(input);
            frame.contentDocument.close();
            root = frame.contentDocument;
            const found = [...root.childNodes].map((child) => dump(child, 0)).join('');
            frame.remove();
            return found;
        } else {
            root = new DOMParser().parseFromString(input, 'text/html');
        }
        return [...root.childNodes].map((child) => dump(child, 0)).join('');
    });
}

const PORTION = 200;
for (let first = 0; first < cases.length; first += PORTION) {
    const found = await page.evaluate(trees, cases.slice(first, first + PORTION));
    const lines = found.map((tree, it) => JSON.stringify({ peer: 'Chromium', version: browser.version(), of: 'trees', case: first + it, found: { tree } }));
    process.stdout.write(`${lines.join('\n')}\n`);
}
await browser.close();
