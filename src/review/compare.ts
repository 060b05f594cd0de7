import { classifyServer } from "./classify-access.ts";
import { classifyOperation } from "./classify-operation.ts";
import { withoutContradictions } from "./classify-response.ts";
import type { Classification, Pair } from "./classify-schema.ts";
import { type Difference, Differences } from "./differences.ts";
import { type Node, node } from "./document.ts";
import { type DocumentView, type OperationView, viewOf, withSchemesCalledAs } from "./document-view.ts";
import { type Finding, merge, type Spot, type Verdict } from "./finding.ts";
import { renamedSchemas } from "./schema-names.ts";
import { at } from "./schema-path.ts";
import { stable, without } from "./stable.ts";
import { noteVerdict, presence, unknownVerdict, verdict, wording } from "./verdict.ts";
import { withWitnesses } from "./witness.ts";

/** All changes between two valid documents, and a map from old to new ids of renamed operations. */
export type Comparison = { findings: readonly Finding[]; renamed: ReadonlyMap<string, string> };

/** Lists all changes between two valid documents. Breaking changes have a witness. */
export function compareDocuments(before: Node, after: Node): Comparison {
  const { findings, renamed } = compareViews(viewOf(before), viewOf(after));
  const all = [...findings, ...renamedSchemas(before, after)];
  return { findings: merge(withWitnesses(all, { before, after, renamed })), renamed };
}

/** Compares the views of two documents by rules only. */
function compareViews(old: DocumentView, written: DocumentView): Comparison {
  const differences = new Differences();
  const now = withSchemesCalledAs(old, written);
  const { pairs, removed, added } = pairUp(old, now);
  const findings = [
    ...removed.map(removal),
    ...pairs.flatMap((pair) => comparePair(pair, differences)),
    ...added.map(addition),
    ...differences.of(old.root, now.root).flatMap((difference) => classifyRoot(difference, old)),
  ];
  const renamed = pairs.filter((pair) => pair.before.id !== pair.after.id);
  return {
    findings: merge(withoutContradictions(findings)),
    renamed: new Map(renamed.map((pair) => [pair.before.id, pair.after.id])),
  };
}

type Pairing = { pairs: Pair[]; removed: OperationView[]; added: OperationView[] };

/**
 * Pairs the operations by method and path, then by id, then by content. Parameter names in paths are ignored, because they are not on the
 * wire.
 */
function pairUp(old: DocumentView, now: DocumentView): Pairing {
  const left = new Set(now.operations);
  const take = (isIt: (candidate: OperationView) => boolean) => {
    const found = [...left].find(isIt);
    if (found !== undefined) left.delete(found);
    return found;
  };
  const partners = new Map<OperationView, OperationView>();
  // An operation with a new path and a new id is recognised by everything else.
  const samenesses = [routeOf, ({ id }: OperationView) => id, ({ method, tree }: OperationView) => method + sent(tree)];
  for (const sameness of samenesses) {
    for (const before of old.operations.filter((operation) => !partners.has(operation))) {
      const after = take((candidate) => sameness(candidate) === sameness(before));
      if (after !== undefined) partners.set(before, after);
    }
  }
  return {
    pairs: [...partners].map(([before, after]) => ({ before, after })),
    removed: old.operations.filter((operation) => !partners.has(operation)),
    added: [...left],
  };
}

function routeOf({ method, path }: OperationView): string {
  return `${method} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`;
}

function sent(tree: Node): string {
  return stable(without(tree, ["notes"]));
}

function written({ method, path }: OperationView): string {
  return `${method.toUpperCase()} ${path}`;
}

function removal(operation: OperationView): Finding {
  const description = `The operation was removed; ${written(operation)} is no longer an endpoint.`;
  return findingOf(operation, verdict("operation-removed", true, description, written(operation), undefined));
}

function addition(operation: OperationView): Finding {
  const description = `A new operation: ${written(operation)}.`;
  return findingOf(operation, verdict("operation-added", false, description, undefined, written(operation)));
}

function findingOf({ id }: OperationView, found: Verdict): Finding {
  return { ...found, operations: [id], places: ["operation"], spots: [{ operation: id, path: [] }], witness: null };
}

function comparePair(pair: Pair, differences: Differences): Finding[] {
  const found = differences.of(pair.before.tree, pair.after.tree);
  const { renames, rest } = takeRenamed(found, pair, differences);
  const classifications: (Classification & Pick<Spot, "path" | "newPath">)[] = [
    ...classifyRoute(pair).map((classification) => ({ ...classification, path: [] })),
    ...renames,
    ...rest.map((difference) => ({ ...classifyOperation(difference, pair), path: difference.path })),
  ];
  return classifications.flatMap(({ place, verdicts, ...spot }) =>
    verdicts.map(({ isOfDocument, ...verdict }) => ({
      ...verdict,
      operations: isOfDocument === true ? [] : [pair.before.id],
      places: isOfDocument === true ? [] : [place],
      spots: [{ operation: pair.before.id, ...spot }],
      witness: null,
    })),
  );
}

function classifyRoute({ before, after }: Pair): Classification[] {
  const verdicts: Verdict[] = [];
  if (before.id !== after.id) {
    const description = `Its name is ${after.id} now; generated clients, tools and the command line use the name.`;
    verdicts.push(verdict("operation-id", true, description, before.id, after.id));
  }
  if (routeOf(before) !== routeOf(after)) {
    const description = `It has moved: ${written(before)} is no longer an endpoint.`;
    verdicts.push(verdict("moved", true, description, written(before), written(after)));
  }
  return verdicts.length === 0 ? [] : [{ place: "operation", verdicts }];
}

/** Finds renames: a removed parameter or key and an equal new one at the same place. */
function takeRenamed(found: Difference[], pair: Pair, differences: Differences) {
  const isNamed = ({ path }: Difference) =>
    path.at(-2) === "properties" || (path.length === 2 && path[0] === "parameters");
  const whole = found.filter(isNamed);
  const renames: (Classification & Pick<Spot, "path" | "newPath">)[] = [];
  const taken = new Set<Difference>();
  for (const gone of whole.filter(({ after }) => after === undefined)) {
    const come = whole.find(
      (other) => other.before === undefined && !taken.has(other) && isRename(gone, other, pair, differences),
    );
    if (come === undefined) continue;
    taken.add(gone).add(come);
    const renamed = gone.path[0] === "parameters" && gone.path.length === 2 ? parameterRename : keyRename;
    renames.push({ ...renamed(gone, come, pair), path: gone.path, newPath: come.path });
  }
  return { renames, rest: found.filter((difference) => !taken.has(difference)) };
}

function isRename(gone: Difference, come: Difference, pair: Pair, differences: Differences): boolean {
  const [old, now] = [node(gone.before), node(come.after)];
  const isSame = (one: unknown, other: unknown) =>
    differences.of(one, other).every(({ path }) => path.includes("notes"));
  const isAlike = gone.path.slice(0, -1).join("/") === come.path.slice(0, -1).join("/");
  if (gone.path.at(-2) === "properties") {
    // Schemas without keywords are equal by chance.
    const isTelling = old.type !== undefined || old.values !== undefined || old.branches !== undefined;
    const isAsRequired = isRequired(pair.before.tree, gone) === isRequired(pair.after.tree, come);
    return isAlike && isTelling && isAsRequired && isSame(old, now);
  }
  const placeOf = ({ path }: Difference) => path[1]?.split(" ")[0];
  return placeOf(gone) === placeOf(come) && old.required === now.required && isSame(old.schema, now.schema);
}

function isRequired(view: unknown, { path }: Difference): boolean {
  return at(view, [...path.slice(0, -2), "required", path.at(-1) ?? ""]) === true;
}

function parameterRename(gone: Difference, come: Difference): Classification {
  const [old, now] = [gone.path[1] ?? "", come.path[1] ?? ""];
  const [place = "", name = ""] = now.split(" ");
  const onWire = place === "path" ? "only generated clients name it" : "the old name is refused";
  const description = `The ${place} parameter has the name ${name} now; ${onWire}.`;
  const verdicts = [verdict("parameter-renamed", true, description, old, now)];
  return { place: old.replace(" ", " parameter "), verdicts };
}

function keyRename(gone: Difference, come: Difference, pair: Pair): Classification {
  const { place } = classifyOperation(gone, pair);
  const [old = "", now = ""] = [gone.path.at(-1), come.path.at(-1)];
  const isFelt = gone.path[0] !== "responses" || isRequired(pair.before.tree, gone);
  return {
    place,
    verdicts: [verdict("property-renamed", isFelt, `The key \`${old}\` is called \`${now}\` now.`, old, now)],
  };
}

/** Classifies a difference outside the operations. A changed security scheme reports the operations that use it. */
function classifyRoot({ path, before, after }: Difference, old: DocumentView): Finding[] {
  const [part = "", name = ""] = path;
  const finding = (found: Verdict, place: string, operations: string[] = []): Finding[] => [
    { ...found, operations, places: [place], spots: [{ operation: null, path }], witness: null },
  ];
  if (part === "notes") return finding(noteVerdict(name, before, after), "document");
  if (part === "tags")
    return finding(wording("tag", `The tag ${name} ${fate(before, after)}.`, undefined, undefined), "tags");
  if (part === "servers") return finding(classifyServer(path.slice(1), before, after), "servers");
  if (part === "securitySchemes") {
    const users = old.operations.filter(({ tree }) => String(tree.security).includes(JSON.stringify(name)));
    const ids = users.map(({ id }) => id);
    return finding(classifyScheme(path, before, after), `security scheme ${name}`, ids);
  }
  if (name.startsWith("x-")) return finding(wording(name, `\`${name}\` differs.`, before, after), "document");
  return finding(unknownVerdict(name === "" ? part : name, before, after), "document");
}

function fate(before: unknown, after: unknown): string {
  return before === undefined ? "is new" : after === undefined ? "was removed" : "has another description";
}

function classifyScheme(path: readonly string[], before: unknown, after: unknown): Verdict {
  const [, name = "", keyword, note] = path;
  const rule = "security-scheme";
  if (keyword === "notes") return noteVerdict(note ?? "", before, after);
  if (keyword !== undefined) {
    const description = `Credentials are sent in another way: ${keyword} of ${name} differs.`;
    return verdict(rule, true, description, before, after);
  }
  const texts = {
    came: `A security scheme was added: ${name}.`,
    gone: `The security scheme ${name} was removed.`,
  };
  return presence(rule, name, after !== undefined, texts);
}
