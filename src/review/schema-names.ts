import { componentsOf, type Node, operationsOf, walk } from "./document.ts";
import type { Finding } from "./finding.ts";
import { pointed } from "./reference.ts";
import { SchemaViews } from "./schema-view.ts";
import { Identities } from "./stable.ts";
import { verdict } from "./verdict.ts";

/** Finds renamed component schemas. They are handled apart from other changes, because only type names in generated code depend on them. */
export function renamedSchemas(before: Node, after: Node): Finding[] {
  const [old, now] = [componentsOf(before, "schemas"), componentsOf(after, "schemas")];
  const gone = Object.keys(old).filter((name) => !(name in now));
  const come = new Set(Object.keys(now).filter((name) => !(name in old)));
  if (gone.length === 0 || come.size === 0) return [];
  const identities = new Identities();
  const [oldViews, newViews] = [new SchemaViews(before), new SchemaViews(after)];
  return gone.flatMap((name) => {
    const operations = usersOf(before, name);
    const view = identities.of(oldViews.of(old[name]));
    const renamed = [...come].find((other) => identities.of(newViews.of(now[other])) === view);
    if (operations.length === 0 || renamed === undefined) return [];
    come.delete(renamed);
    const description = `The schema ${name} has the name ${renamed} now; generated types have its name.`;
    const spots = [{ operation: null, path: ["components", "schemas", renamed] }];
    return [
      { ...verdict("schema-renamed", true, description, name, renamed), operations, places: [], spots, witness: null },
    ];
  });
}

/** Returns the ids of the operations that use a schema. */
function usersOf(document: Node, name: string): string[] {
  const uses = (value: unknown, seen: Set<string>): boolean => {
    const references: string[] = [];
    walk(value, "#", ({ $ref }) => {
      if (typeof $ref === "string" && !seen.has($ref)) references.push($ref);
    });
    for (const reference of references) seen.add(reference);
    return references.some(
      (reference) => reference === `#/components/schemas/${name}` || uses(pointed(document, reference), seen),
    );
  };
  return operationsOf(document)
    .filter(({ node, item }) => uses([node, item.parameters], new Set()))
    .map(({ id }) => id);
}
