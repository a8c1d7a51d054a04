"""Lists the links of a page with line, column and text: ``python links.py page.html``, or ``-`` for standard input."""

import sys

import pytabulex


def main(name: str) -> None:
    page = sys.stdin.buffer.read() if name == "-" else open(name, "rb").read()
    document = pytabulex.parse(page)
    for link in document.css("a[href]"):
        line, column = link.position or (0, 0)
        print(f"{line}:{column}: {link['href']} ({link.text(' ', strip=True)})")
    for event in document.events:
        print(event, file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "-")
