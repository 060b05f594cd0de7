import { type Node, node } from "../document.ts";
import { classifyServer } from "./classify-access.ts";
import { classifyOperation } from "./classify-operation.ts";
import { withoutContradictions } from "./classify-response.ts";
import type { Classification, Pair } from "./classify-schema.ts";
import { type Difference, Differences } from "./differences.ts";
import { type DocumentView, type OperationView, viewOf, withSchemesCalledAs } from "./document-view.ts";
import { type Finding, merge, type Verdict } from "./finding.ts";
import { noteVerdict, presence, unknownVerdict, verdict, wording } from "./verdict.ts";

/** All changes from one valid document to another, and the new ids of renamed operations by their old ones. */
export type Comparison = { findings: readonly Finding[]; renamed: ReadonlyMap<string, string> };

/** Lists every change between two valid documents. */
export function compareDocuments(before: Node, after: Node): Comparison {
  return compareViews(viewOf(before), viewOf(after));
}

/** Compares the views of two documents. */
export function compareViews(old: DocumentView, written: DocumentView): Comparison {
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

/** Pairs the operations. One is known by its method and path, else, where it has moved, by its id. Names in paths are not on the wire. */
function pairUp(old: DocumentView, now: DocumentView): Pairing {
  const left = new Set(now.operations);
  const take = (isIt: (candidate: OperationView) => boolean) => {
    const found = [...left].find(isIt);
    if (found !== undefined) left.delete(found);
    return found;
  };
  const partners = new Map<OperationView, OperationView>();
  for (const sameness of [routeOf, (operation: OperationView) => operation.id]) {
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

function written({ method, path }: OperationView): string {
  return `${method.toUpperCase()} ${path}`;
}

function removal(operation: OperationView): Finding {
  const description = `The operation is gone; ${written(operation)} is no endpoint any more.`;
  return findingOf(operation, verdict("operation-removed", true, description, written(operation), undefined));
}

function addition(operation: OperationView): Finding {
  const description = `There is a new operation, ${written(operation)}.`;
  return findingOf(operation, verdict("operation-added", false, description, undefined, written(operation)));
}

function findingOf({ id }: OperationView, found: Verdict): Finding {
  return { ...found, operations: [id], places: ["operation"] };
}

function comparePair(pair: Pair, differences: Differences): Finding[] {
  const found = differences.of(pair.before.tree, pair.after.tree);
  const { renames, rest } = takeRenamedParameters(found, differences);
  const classifications = [
    ...classifyRoute(pair),
    ...renames,
    ...rest.map((difference) => classifyOperation(difference, pair)),
  ];
  return classifications.flatMap(({ place, verdicts }) =>
    verdicts.map(({ isOfDocument, ...verdict }) => ({
      ...verdict,
      operations: isOfDocument === true ? [] : [pair.before.id],
      places: isOfDocument === true ? [] : [place],
    })),
  );
}

function classifyRoute({ before, after }: Pair): Classification[] {
  const verdicts: Verdict[] = [];
  if (before.id !== after.id) {
    const description = `It is called ${after.id} now; generated clients, tools and the command line call it by its name.`;
    verdicts.push(verdict("operation-id", true, description, before.id, after.id));
  }
  if (routeOf(before) !== routeOf(after)) {
    const description = `It has moved: ${written(before)} is no endpoint any more.`;
    verdicts.push(verdict("moved", true, description, written(before), written(after)));
  }
  return verdicts.length === 0 ? [] : [{ place: "operation", verdicts }];
}

/** A parameter that went while an equal one of the same place came has another name now. */
function takeRenamedParameters(found: Difference[], differences: Differences) {
  const whole = found.filter(({ path }) => path[0] === "parameters" && path.length === 2);
  const renames: Classification[] = [];
  const taken = new Set<Difference>();
  for (const gone of whole.filter(({ after }) => after === undefined)) {
    const come = whole.find(
      (other) => other.before === undefined && !taken.has(other) && isRename(gone, other, differences),
    );
    if (come === undefined) continue;
    taken.add(gone).add(come);
    renames.push(rename(gone.path[1] ?? "", come.path[1] ?? ""));
  }
  return { renames, rest: found.filter((difference) => !taken.has(difference)) };
}

function isRename(gone: Difference, come: Difference, differences: Differences): boolean {
  const placeOf = ({ path }: Difference) => path[1]?.split(" ")[0];
  const [old, now] = [node(gone.before), node(come.after)];
  const isSame = differences.of(node(old.schema), node(now.schema)).every(({ path }) => path.includes("notes"));
  return placeOf(gone) === placeOf(come) && old.required === now.required && isSame;
}

function rename(old: string, now: string): Classification {
  const [place = "", name = ""] = now.split(" ");
  const onWire = place === "path" ? "only generated clients name it" : "the old name is refused";
  const description = `The ${place} parameter is called ${name} now; ${onWire}.`;
  const verdicts = [verdict("parameter-renamed", true, description, old, now)];
  return { place: old.replace(" ", " parameter "), verdicts };
}

/** Classifies a difference outside the operations. A change of a security scheme names the operations that use it. */
function classifyRoot({ path, before, after }: Difference, old: DocumentView): Finding[] {
  const [part = "", name = ""] = path;
  const finding = (found: Verdict, place: string, operations: string[] = []): Finding[] => [
    { ...found, operations, places: [place] },
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
  return before === undefined ? "is new" : after === undefined ? "is gone" : "is described otherwise";
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
    came: `There is a further security scheme, ${name}.`,
    gone: `The security scheme ${name} is gone.`,
  };
  return presence(rule, name, after !== undefined, texts);
}
