import { type Node, node } from "../document.ts";
import { type DocumentView, securityOf } from "./document-view.ts";
import { stable, without } from "./stable.ts";

/** The new document with security schemes by their old names, where only the name differs: it is never sent. */
export function withSchemesCalledAs(old: DocumentView, now: DocumentView): DocumentView {
  const [before, after] = [node(old.root.securitySchemes), node(now.root.securitySchemes)];
  const oldNames = new Map<string, string>();
  for (const [name, scheme] of Object.entries(before)) {
    const isIt = (candidate: string) =>
      !(candidate in before) && !oldNames.has(candidate) && sent(after[candidate]) === sent(scheme);
    const renamed = name in after ? undefined : Object.keys(after).find(isIt);
    if (renamed !== undefined) oldNames.set(renamed, name);
  }
  if (oldNames.size === 0) return now;
  const called = (entries: Node) =>
    Object.fromEntries(Object.entries(entries).map(([name, value]) => [oldNames.get(name) ?? name, value]));
  const calledIn = (security: unknown) => securityOf((JSON.parse(String(security)) as Node[]).map(called));
  const operations = now.operations.map(({ tree, ...operation }) => {
    return { ...operation, tree: { ...tree, security: calledIn(tree.security) } };
  });
  return { ...now, root: { ...now.root, securitySchemes: called(after) }, operations };
}

function sent(scheme: unknown): string {
  return stable(without(node(scheme), ["notes"]));
}
