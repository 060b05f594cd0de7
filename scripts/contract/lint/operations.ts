import { changelogKey, isNode, type Node, node, operationsOf } from "../document.ts";
import type { Rule } from "./rule.ts";

const extensionValues: Readonly<Record<string, readonly unknown[]>> = {
  "x-itemtape-plan": ["none", "free", "paid"],
  "x-itemtape-cost": [0, 1],
  "x-itemtape-scope": ["none", "any", "market:read", "portfolio:read"],
  "x-itemtape-minute": [true, false],
  "x-itemtape-extension": [true, false],
};

/** An operation must have each extension and no other, because readers silently skip a misspelled key. */
export const extensions: Rule = () => ({
  Operation(operation, { location, report }) {
    for (const key of Object.keys(operation)) {
      if (!key.startsWith("x-") || key in extensionValues) continue;
      const message = `${key} is not an extension of an operation; those are ${Object.keys(extensionValues).join(", ")}`;
      report({ message, location: location.child(key) });
    }
    for (const [key, values] of Object.entries(extensionValues)) {
      if (values.includes(operation[key])) continue;
      report({ message: `${key} must be one of ${values.join(", ")}`, location: location.child(key) });
    }
  },
});

/**
 * A parameter has one `example`, which importing programs send. Optional days, instants and cursors have none, because a day becomes outdated and a
 * cursor belongs to one list. A required day has a named example.
 */
export const parameterExample: Rule = () => ({
  Parameter({ name, required, schema, ...parameter }, { report, resolve }) {
    const { format } = node(resolve(schema).node);
    const passes =
      format === "date" ||
      format === "date-time" ||
      /\/PageCursor$/.test(String(node(schema).$ref)) ||
      name === "cursor";
    const [wanted, other] = passes && required === true ? ["examples", "example"] : ["example", "examples"];
    const isShown = wanted in parameter === (!passes || required === true);
    if (!isShown || other in parameter)
      report({ message: "an example for all but optional days and positions; a required day has named examples" });
  },
});

/** Exactly the reads with a key support conditional requests: they have the header, and their 200 and 304 have the tag. */
export const conditional: Rule = () => ({
  PathItem(item, { location, report, resolve }) {
    for (const [method, written] of Object.entries(item)) {
      const operation = node(written);
      if (!("responses" in operation)) continue;
      const isConditional = method === "get" && operation["x-itemtape-scope"] !== "none";
      const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
      const inHeader = parameters.filter((entry) => node(resolve(entry).node).in === "header");
      const refs = inHeader.map((entry) => node(entry).$ref).join();
      if (refs !== (isConditional ? "#/components/parameters/IfNoneMatch" : "")) {
        const message = "IfNoneMatch is the header parameter of a GET with a key, and no other operation has one";
        report({ message, location: location.child(method) });
      }
      for (const [status, entry] of Object.entries(node(operation.responses))) {
        const isTagged = isConditional && (status === "200" || status === "304");
        if ("ETag" in node(node(resolve(entry).node).headers) === isTagged) continue;
        const message = `ETag: ${isTagged ? "is missing" : "does not belong here"}`;
        report({ message, location: location.child([method, "responses", status]) });
      }
    }
  },
});

/** Checks the changelog of `listContractChanges`. The schema of its response defines the keys and their values. */
export const changelog: Rule = () => ({
  Root(document, { location, report }) {
    const changes = document[changelogKey];
    if (!Array.isArray(changes) || !changes.every(isNode))
      return report({ message: `${changelogKey} must list changes` });
    const names = namedBy(document, changes);
    const revision = node(document.info)["x-itemtape-revision"];
    if (changes.at(-1)?.revision !== revision)
      report({
        message: "must be the revision of the last change",
        location: location.child(["info", "x-itemtape-revision"]),
      });
    for (const [index, change] of changes.entries()) {
      const place = location.child([changelogKey, index]);
      const messages = [
        ...orderFaults(change, node(changes[index - 1]), document),
        ...(change.change_id === index + 1 ? [] : [`change_id: must be ${index + 1}; ids count from 1`]),
        ...nameFaults(change.operations, names[index]!),
      ];
      for (const message of messages) report({ message, location: place });
    }
  },
});

/** Dates and versions must not decrease, and no version may exceed the document's. */
function orderFaults({ date, revision, contract_version: version }: Node, before: Node, { info }: Node): string[] {
  const messages: string[] = [];
  if (String(revision) < String(before.revision ?? date))
    messages.push("revision: must not be before its date or the revision before");
  if (String(date) < String(before.date ?? "")) messages.push("date: must not be before the previous change");
  if (isLater(before.contract_version ?? "0.0.0", version))
    messages.push("contract_version: must not be lower than in the previous change");
  if (isLater(version, node(info).version)) messages.push("contract_version: must not be later than info.version");
  return messages;
}

function nameFaults(operations: unknown, known: ReadonlySet<unknown>): string[] {
  if (!Array.isArray(operations) || new Set(operations).size < operations.length)
    return ["operations: must be a list without repetitions"];
  const unknown = operations.filter((name) => !known.has(name));
  return unknown.map((name) => `operations: ${String(name)} is not one, and no breaking change removed it`);
}

/** Returns the operations that each change may name: the document's, and operations removed by this or a later breaking change. */
function namedBy(document: Node, changes: readonly Node[]): ReadonlySet<unknown>[] {
  const known = new Set<unknown>(operationsOf(document).map(({ id }) => id));
  const names = changes.toReversed().map(({ kind, operations }) => {
    if (kind === "breaking" && Array.isArray(operations)) for (const name of operations) known.add(name);
    return new Set(known);
  });
  return names.reverse();
}

function isLater(version: unknown, than: unknown): boolean {
  const [one = [], other = []] = [version, than].map((text) => String(text).split(".").map(Number));
  const place = one.findIndex((part, index) => part !== other[index]);
  return place !== -1 && one[place]! > (other[place] ?? 0);
}
