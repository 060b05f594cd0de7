import { componentsOf, isNode, type Node, node, resolve, walk } from "./document.ts";
import type { Finding } from "./finding.ts";

/** Kinds of components. Their names are unique over all kinds, because some generators make types of all in one namespace. */
const kinds = ["schemas", "parameters", "responses", "requestBodies", "headers", "examples"];

/** Rules about the document as a whole: everything named once, referred to, and used. */
export function checkComponents(document: Node): Finding[] {
  return [
    ...checkUse(document),
    ...checkNames(document),
    ...checkReferences(document),
    ...checkInline(document),
    ...checkOrder(document),
    ...checkSameResponses(document),
  ];
}

function checkUse(document: Node): Finding[] {
  const used = new Set<unknown>();
  walk(document, "#", (found) => {
    used.add(found.$ref);
  });
  return kinds.flatMap((kind) =>
    Object.keys(componentsOf(document, kind))
      .map((name) => `#/components/${kind}/${name}`)
      .filter((at) => !used.has(at))
      .map((at) => ({ rule: "used", at, message: "nothing refers to it; remove it" })),
  );
}

function checkNames(document: Node): Finding[] {
  const seen = new Map<string, string>();
  const findings: Finding[] = [];
  for (const kind of kinds) {
    for (const name of Object.keys(componentsOf(document, kind))) {
      const at = `#/components/${kind}/${name}`;
      const other = seen.get(name.toLowerCase());
      if (!/^[A-Z][A-Za-z0-9]*$/.test(name))
        findings.push({ rule: "component-names", at, message: "names are PascalCase" });
      if (other) findings.push({ rule: "component-names", at, message: `differs from ${other} in case or kind only` });
      seen.set(name.toLowerCase(), at);
    }
  }
  return findings;
}

/** References are local, lead somewhere, and stand alone: openapi-backend merges siblings and turns arrays into objects by it. */
function checkReferences(document: Node): Finding[] {
  const findings: Finding[] = [];
  walk(document, "#", (found, at) => {
    if (!("$ref" in found)) return;
    const [, , kind = "", name = ""] = String(found.$ref).split("/");
    if (!String(found.$ref).startsWith("#/components/") || !(name in componentsOf(document, kind))) {
      findings.push({ rule: "references", at, message: `${String(found.$ref)}: leads nowhere` });
    }
    const siblings = Object.keys(found).filter((key) => key !== "$ref");
    if (siblings.length > 0)
      findings.push({
        rule: "ref-siblings",
        at,
        message: `${siblings.join(", ")}: merged wrongly or dropped by tools`,
      });
  });
  return findings;
}

/**
 * Parameters, refusals, headers and examples of operations are references to named components. What one operation alone takes
 * and gives stands in place: a generator that does not look behind a reference there knows neither media type.
 */
function checkInline(document: Node): Finding[] {
  const findings: Finding[] = [];
  const rule = "named-components";
  const expectReference = (value: unknown, at: string) => {
    if (isNode(value) && typeof value.$ref !== "string") {
      findings.push({ rule, at, message: "write it under components and refer to it" });
    }
  };
  const expectInPlace = (value: unknown, at: string) => {
    if ("$ref" in node(value)) findings.push({ rule, at, message: "write it in place, not under components" });
  };
  walk({ paths: document.paths, components: document.components }, "#", (found, at) => {
    if (at.startsWith("#/components/schemas/")) return;
    expectInPlace(found.requestBody, `${at}/requestBody`);
    if (Array.isArray(found.parameters)) {
      for (const [index, parameter] of found.parameters.entries())
        expectReference(parameter, `${at}/parameters/${index}`);
    }
    for (const kind of ["responses", "headers", "examples"]) {
      if (at === "#/components") continue;
      for (const [name, value] of Object.entries(node(found[kind]))) {
        const expect = kind === "responses" && name === "200" ? expectInPlace : expectReference;
        expect(value, `${at}/${kind}/${name}`);
      }
    }
  });
  return findings;
}

/** Kinds of components in the order in which a person reads them. */
const readingOrder = ["securitySchemes", "parameters", "responses", "headers", "schemas", "examples"];
const rootOrder = ["openapi", "info", "servers", "security", "tags", "x-itemtape-changelog", "paths", "components"];

/**
 * A document is read from the operations down: what it consists of stands in one order, and components of a kind in the order in which
 * somebody meets them who begins with the first operation and follows each reference.
 */
function checkOrder(document: Node): Finding[] {
  const met = new Map<string, string[]>(kinds.map((kind) => [kind, []]));
  meet(document, document.paths, met);
  return [
    ...misplaced(Object.keys(document), rootOrder, "#"),
    ...misplaced(Object.keys(node(document.components)), readingOrder, "#/components"),
    ...kinds.flatMap((kind) =>
      misplaced(Object.keys(componentsOf(document, kind)), met.get(kind) ?? [], `#/components/${kind}`),
    ),
  ];
}

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

/** Returns the first key that does not stand where it is expected. Unused components are reported by another rule. */
function misplaced(keys: readonly string[], expected: readonly string[], at: string): Finding[] {
  const known = keys.filter((key) => expected.includes(key));
  const wanted = expected.filter((key) => known.includes(key));
  const index = known.findIndex((key, position) => key !== wanted[position]);
  if (index === -1) return [];
  const place = index === 0 ? "first" : `after ${known[index - 1]}`;
  return [{ rule: "reading-order", at, message: `${wanted[index]}: is met before ${known[index]}; move it ${place}` }];
}

/** Finds equal responses, which should be one. */
function checkSameResponses(document: Node): Finding[] {
  const seen = new Map<string, string>();
  return Object.entries(componentsOf(document, "responses")).flatMap(([name, response]): Finding[] => {
    const content = JSON.stringify(response);
    const other = seen.get(content);
    seen.set(content, other ?? name);
    if (other === undefined) return [];
    return [{ rule: "same-response", at: `#/components/responses/${name}`, message: `is equal to ${other}; use that` }];
  });
}
