import { componentsOf, node } from "../document.ts";
import type { Context, Rule } from "./rule.ts";

const kinds = ["schemas", "parameters", "responses", "requestBodies", "headers", "examples"];

/** Names must be PascalCase and unique over all kinds, because some generators put types of all kinds into one namespace. */
export const componentNames: Rule = () => ({
  Root(document, { location, report }) {
    const seen = new Map<string, string>();
    for (const kind of kinds) {
      for (const name of Object.keys(componentsOf(document, kind))) {
        const at = location.child(["components", kind, name]);
        const other = seen.get(name.toLowerCase());
        seen.set(name.toLowerCase(), `${kind}/${name}`);
        if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) report({ message: "names are PascalCase", location: at });
        if (other) report({ message: `differs from ${other} in case or kind only`, location: at });
      }
    }
  },
});

/** References must have no sibling keys, because openapi-backend merges them and turns arrays into objects. */
export const refSiblings: Rule = () => ({
  ref(reference, { location, report }) {
    const siblings = Object.keys(reference).filter((key) => key !== "$ref");
    if (siblings.length > 0) report({ message: `tools merge wrongly or drop: ${siblings.join(", ")}`, location });
  },
});

/**
 * Parameters, refusals, headers and examples of operations refer to named components. The 200 and the request body must be inline, because
 * some generators do not follow references there and miss the media type.
 */
export const componentsInPlace: Rule = () => ({
  PathItem({ parameters }, context) {
    expectReferences(parameters, "parameters", context);
  },
  Operation({ parameters, requestBody, responses }, context) {
    const { "200": ok, ...others } = node(responses);
    expectReferences(parameters, "parameters", context);
    expectReferences(others, "responses", context);
    expectInPlace(requestBody, ["requestBody"], context);
    expectInPlace(ok, ["responses", "200"], context);
  },
  Response({ headers }, context) {
    expectReferences(headers, "headers", context);
  },
  MediaType({ examples }, context) {
    expectReferences(examples, "examples", context);
  },
});

function expectReferences(children: unknown, kind: string, { location, report }: Context): void {
  for (const [name, child] of Object.entries(children ?? {})) {
    if (typeof node(child).$ref === "string") continue;
    report({ message: "write it under components and refer to it", location: location.child([kind, name]) });
  }
}

function expectInPlace(value: unknown, keys: readonly string[], { location, report }: Context): void {
  if ("$ref" in node(value))
    report({ message: "write it in place, not under components", location: location.child(keys) });
}
