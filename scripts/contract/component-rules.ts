import { isScalar, parseDocument as parseAst, visit } from "yaml";
import { componentsOf, isNode, type Node, node, walk } from "./document.ts";
import type { Finding } from "./finding.ts";

/** Kinds of components. Their names are unique over all kinds, because some generators make types of all in one namespace. */
const kinds = ["schemas", "parameters", "responses", "requestBodies", "headers", "examples"];

/** Rules about the document as a whole: everything named once, referred to, and used. */
export function checkComponents(document: Node): Finding[] {
  return [...checkUse(document), ...checkNames(document), ...checkReferences(document), ...checkInline(document)];
}

/** A date-time that is not quoted becomes a date object in readers of YAML 1.1. */
export function checkQuoting(text: string): Finding[] {
  const findings: Finding[] = [];
  visit(parseAst(text), {
    Scalar(_key, scalar) {
      if (isScalar(scalar) && scalar.type === "PLAIN" && /^\d{4}-\d{2}-\d{2}/.test(String(scalar.source))) {
        const line = text.slice(0, scalar.range?.[0] ?? 0).split("\n").length;
        findings.push({ rule: "quoted-dates", at: `line ${line}`, message: `quote ${String(scalar.source)}` });
      }
    },
  });
  return findings;
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
