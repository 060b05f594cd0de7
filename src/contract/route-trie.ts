type Node<Leaf> = { literals: Map<string, Node<Leaf>>; parameter: Node<Leaf> | null; leaves: Map<string, Leaf> | null };

/**
 * Path templates by segment. A literal segment wins over a parameter; where the literal way has no leaf for the method, the
 * parameter is tried. Segments are compared as they stand in the URL, so an encoded letter is another path.
 */
export class RouteTrie<Leaf> {
  readonly #root: Node<Leaf> = emptyNode();

  add(method: string, template: string, leaf: Leaf): void {
    let node = this.#root;
    for (const segment of template.slice(1).split("/")) {
      if (/^\{[^{}]+\}$/.test(segment)) {
        node.parameter ??= emptyNode();
        node = node.parameter;
      } else {
        if (/[{}]/.test(segment)) throw new Error(`path ${template}: a parameter must be a whole segment`);
        const next = node.literals.get(segment) ?? emptyNode();
        node.literals.set(segment, next);
        node = next;
      }
    }
    node.leaves ??= new Map();
    if (node.leaves.has(method)) throw new Error(`path ${template}: ${method} is taken by another template`);
    node.leaves.set(method, leaf);
  }

  /** The leaf for an upper-case method and a path that begins with `/`. `values` receives the parameters, still encoded. */
  find(method: string, path: string, values: string[]): Leaf | null {
    return descend(this.#root, method, path, 1, values);
  }

  /** The methods that some template has for this path, sorted. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    collect(this.#root, path, 1, methods);
    return [...methods].sort();
  }
}

function emptyNode<Leaf>(): Node<Leaf> {
  return { literals: new Map(), parameter: null, leaves: null };
}

function descend<Leaf>(node: Node<Leaf>, method: string, path: string, start: number, values: string[]): Leaf | null {
  if (start > path.length) return node.leaves?.get(method) ?? null;
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  const segment = path.slice(start, end);
  const literal = node.literals.get(segment);
  if (literal !== undefined) {
    const found = descend(literal, method, path, end + 1, values);
    if (found !== null) return found;
  }
  if (node.parameter === null || segment === "") return null;
  values.push(segment);
  const found = descend(node.parameter, method, path, end + 1, values);
  if (found === null) values.pop();
  return found;
}

function collect<Leaf>(node: Node<Leaf>, path: string, start: number, methods: Set<string>): void {
  if (start > path.length) {
    for (const method of node.leaves?.keys() ?? []) methods.add(method);
    return;
  }
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  const segment = path.slice(start, end);
  const literal = node.literals.get(segment);
  if (literal !== undefined) collect(literal, path, end + 1, methods);
  if (node.parameter !== null && segment !== "") collect(node.parameter, path, end + 1, methods);
}
