import { isScalar, parseDocument as parseAst, Scalar, visit, type Node as YamlNode } from "yaml";

/** A place in openapi.yaml by its keys, such as `["components", "examples", "UsageFree", "value"]`, and its new value. */
export type Rewrite = { at: (string | number)[]; value: unknown };

/**
 * Returns the text of openapi.yaml with some values replaced. The rest is unchanged, including comments.
 * @throws {Error} when a place does not exist, so that a misspelt name adds nothing.
 */
export function rewriteValues(documentText: string, rewrites: Rewrite[]): string {
  const ast = parseAst(documentText);
  for (const { at, value } of rewrites) {
    if (!ast.hasIn(at)) throw new Error(`openapi.yaml: no entry exists at ${at.join("/")}; write the entry first`);
    ast.setIn(at, toYaml(ast.createNode(value, { aliasDuplicateObjects: false })));
  }
  return ast.toString({ lineWidth: 120, flowCollectionPadding: true });
}

/** Quotes values that YAML 1.1 readers would parse as dates, and keeps each NDJSON record on one line. */
function toYaml(value: YamlNode): YamlNode {
  visit(value, {
    Scalar(_key, scalar) {
      if (!isScalar(scalar) || typeof scalar.value !== "string") return;
      if (/^\d{4}-\d{2}-\d{2}/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
      if (scalar.value.includes("\n")) scalar.type = Scalar.BLOCK_LITERAL;
    },
  });
  return value;
}
