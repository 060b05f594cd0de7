import { isPair, isScalar, parseDocument, visit } from "yaml";
import { componentsOf, type Node, node, resolve, walk } from "../document.ts";
import type { Rule } from "./rule.ts";

const rootOrder = ["openapi", "info", "servers", "security", "tags", "x-itemtape-changelog", "paths", "components"];
/** Kinds of components in reading order. */
const kindOrder = ["securitySchemes", "parameters", "responses", "headers", "schemas", "examples"];

/** Components of a kind must be in the order of their first use, because people read the document from the operations down. */
export const readingOrder: Rule = () => ({
  Root(document, { location, report }) {
    const expect = (found: unknown, order: readonly string[], ...keys: string[]) => {
      const known = Object.keys(node(found)).filter((key) => order.includes(key));
      const wanted = order.filter((key) => known.includes(key));
      const index = known.findIndex((key, position) => key !== wanted[position]);
      if (index === -1) return;
      const place = index === 0 ? "first" : `after ${known[index - 1]}`;
      const message = `${wanted[index]} is met before ${known[index]}; move it ${place}`;
      report({ message, location: location.child([...keys, wanted[index]!]) });
    };
    expect(document, rootOrder);
    expect(document.components, kindOrder, "components");
    const met = new Map<string, string[]>(kindOrder.map((kind) => [kind, []]));
    meet(document, document.paths, met);
    for (const [kind, names] of met) expect(componentsOf(document, kind), names, "components", kind);
  },
});

/** Adds the components below `value` to `met`, by kind, in the order of their first reference. */
function meet(document: Node, value: unknown, met: Map<string, string[]>): void {
  walk(value, "", ({ $ref }) => {
    if (typeof $ref !== "string") return;
    const [, , kind = "", name = ""] = $ref.split("/");
    const names = met.get(kind);
    if (names === undefined || names.includes(name)) return;
    names.push(name);
    if (kind !== "examples") meet(document, resolve(document, { $ref }), met);
  });
}

/** Limit of aliases in SnakeYAML, which Java tools use. It refuses more as a bomb. The rarest sets of headers are then written out. */
const aliasesMax = 50;

/** Dates must be quoted, because YAML 1.1 readers turn them into date objects. Aliases are limited, and only for sets of headers. */
export const yaml: Rule = () => ({
  Root(_document, { location: { source }, report }) {
    const breach = (message: string, offset = 0) => {
      const lines = source.body.slice(0, offset).split("\n");
      report({
        message,
        location: { pointer: undefined, source, start: { line: lines.length, col: lines.at(-1)!.length + 1 } },
      });
    };
    let aliases = 0;
    visit(parseDocument(source.body), {
      Scalar(_key, scalar) {
        if (scalar.type === "PLAIN" && /^\d{4}-\d{2}-\d{2}/.test(String(scalar.source)))
          breach(`quote ${String(scalar.source)}`, scalar.range?.[0]);
      },
      Alias(_key, alias, path) {
        aliases += 1;
        const pair = path.at(-1);
        if (isPair(pair) && isScalar(pair.key) && pair.key.value === "headers") return;
        breach(`*${alias.source}: only sets of headers are aliases`, alias.range?.[0]);
      },
    });
    if (aliases > aliasesMax) breach(`${aliases} aliases; parsers refuse more than ${aliasesMax}`);
  },
});
