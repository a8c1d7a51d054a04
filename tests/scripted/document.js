// The document for scripts: the part of the DOM that the cases use, implemented with the functions of natives.rs, which
// identify nodes by number. There are no events, styles or windows, and a script that a script creates is not run. Each
// node has one object, so that objects can be compared.
{
  const objects = new Map();

  function wrap(number) {
    if (number === null) return null;
    if (!objects.has(number)) {
      const shape = { document: Document, element: Element }[tabulex_kind(number)] ?? Node;
      objects.set(number, new shape(number));
    }
    return objects.get(number);
  }

  class Node {
    #number;
    constructor(number) { this.#number = number; }
    static number(node) {
      if (node === null || node === undefined) return null;
      return node.#number;
    }
    get parentNode() { return wrap(tabulex_next(this.#number, "parent")); }
    get firstChild() { return wrap(tabulex_next(this.#number, "first")); }
    get lastChild() { return wrap(tabulex_next(this.#number, "last")); }
    get previousSibling() { return wrap(tabulex_next(this.#number, "previous")); }
    get nextSibling() { return wrap(tabulex_next(this.#number, "next")); }
    get childNodes() {
      const found = [];
      for (let child = this.firstChild; child; child = child.nextSibling) found.push(child);
      return found;
    }
    get nodeName() { return tabulex_name(this.#number); }
    get textContent() { return tabulex_text(this.#number); }
    set textContent(text) { tabulex_set_text(this.#number, text); }
    get data() { return this.textContent; }
    set data(text) { this.textContent = text; }
    insertBefore(child, sibling) {
      tabulex_insert(this.#number, Node.number(child), Node.number(sibling));
      return child;
    }
    appendChild(child) { return this.insertBefore(child, null); }
    removeChild(child) {
      if (child.parentNode !== this) throw new Error("it is no child of this node");
      child.remove();
      return child;
    }
    replaceChild(child, old) {
      this.insertBefore(child, old);
      return this.removeChild(old);
    }
    remove() { tabulex_detach(this.#number); }
    getElementsByTagName(name) {
      const found = [];
      for (const child of this.childNodes) {
        if (!(child instanceof Element)) continue;
        if (name === "*" || child.localName === name.toLowerCase()) found.push(child);
        found.push(...child.getElementsByTagName(name));
      }
      return found;
    }
  }

  class Element extends Node {
    get localName() { return tabulex_name(Node.number(this)); }
    get tagName() { return this.localName.toUpperCase(); }
    get nodeName() { return this.tagName; }
    get id() { return this.getAttribute("id") ?? ""; }
    set id(value) { this.setAttribute("id", value); }
    get className() { return this.getAttribute("class") ?? ""; }
    set className(value) { this.setAttribute("class", value); }
    getAttribute(name) { return tabulex_attribute(Node.number(this), name); }
    setAttribute(name, value) { tabulex_set_attribute(Node.number(this), name, value); }
    removeAttribute(name) { tabulex_remove_attribute(Node.number(this), name); }
    get innerHTML() { return tabulex_inner(Node.number(this)); }
    set innerHTML(markup) { tabulex_set_inner(Node.number(this), markup); }
  }

  class Document extends Node {
    get documentElement() { return this.childNodes.find((child) => child instanceof Element) ?? null; }
    #inRoot(names) {
      const children = this.documentElement?.childNodes ?? [];
      return children.find((child) => child instanceof Element && names.includes(child.localName)) ?? null;
    }
    get head() { return this.#inRoot(["head"]); }
    get body() { return this.#inRoot(["body", "frameset"]); }
    get currentScript() { return wrap(tabulex_current_script()); }
    getElementById(id) { return this.getElementsByTagName("*").find((element) => element.id === id) ?? null; }
    createElement(name) { return wrap(tabulex_create_element(name.toLowerCase())); }
    createTextNode(text) { return wrap(tabulex_create_text(text)); }
    write(...texts) { tabulex_write(texts.join("")); }
    writeln(...texts) { tabulex_write(texts.join("") + "\n"); }
  }

  globalThis.document = wrap(tabulex_document());
  globalThis.window = globalThis;
}
