import { changelogKey, isNode, type Node, node, operationsOf } from "./document.ts";
import type { Finding } from "./finding.ts";

const kinds = ["breaking", "additive", "wording"];
const keys = ["change_id", "date", "contract_version", "kind", "operations", "summary"];
const versionShape = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** Rules about the list of changes at the root of the document, which `listContractChanges` answers. */
export function checkChangelog(document: Node): Finding[] {
  const changes = document[changelogKey];
  if (!Array.isArray(changes) || !changes.every(isNode)) return [finding("", "must be a list of changes")];
  const names = namedBy(document, changes);
  return changes.flatMap((change, index) => [
    ...checkEntry(change, index),
    ...checkOrder(change, index === 0 ? {} : node(changes[index - 1]), document, index),
    ...checkOperationNames(change, names[index]!, index),
  ]);
}

function checkEntry(change: Node, index: number): Finding[] {
  const faults: [boolean, string][] = [
    [
      JSON.stringify(Object.keys(change)) !== JSON.stringify(keys),
      `must have the keys ${keys.join(", ")}, in this order`,
    ],
    [change.change_id !== index + 1, `change_id: must be ${index + 1}; ids count from 1 and none is left out`],
    [!isDay(change.date), "date: must be a day of the calendar as YYYY-MM-DD"],
    [!versionShape.test(String(change.contract_version)), "contract_version: must be three numbers, such as 0.1.0"],
    [!kinds.includes(String(change.kind)), `kind: must be one of ${kinds.join(", ")}`],
    [typeof change.summary !== "string" || change.summary.trim() === "", "summary: is missing"],
  ];
  return faults.filter(([isFault]) => isFault).map(([, message]) => finding(`/${index}`, message));
}

/** Neither dates nor versions fall, and no version is later than that of the document. */
function checkOrder(change: Node, before: Node, document: Node, index: number): Finding[] {
  const findings: Finding[] = [];
  if (String(change.date) < String(before.date ?? "")) {
    findings.push(finding(`/${index}`, "date: must not be before that of the change before"));
  }
  const version = String(change.contract_version);
  if (isLater(String(before.contract_version ?? "0.0.0"), version)) {
    findings.push(finding(`/${index}`, "contract_version: must not be lower than that of the change before"));
  }
  if (isLater(version, String(node(document.info).version))) {
    findings.push(finding(`/${index}`, "contract_version: must not be later than info.version"));
  }
  return findings;
}

/** An operation that the document does not have must be named by a breaking change, then or later: the one that removed it. */
function checkOperationNames(change: Node, known: ReadonlySet<unknown>, index: number): Finding[] {
  const { operations } = change;
  if (!Array.isArray(operations) || new Set(operations).size < operations.length) {
    return [finding(`/${index}`, "operations: must be a list without repetitions")];
  }
  return operations
    .filter((name) => !known.has(name))
    .map((name) => finding(`/${index}`, `operations: ${String(name)} is none, and no breaking change removed it`));
}

/** For each change the operations that it may name. */
function namedBy(document: Node, changes: readonly Node[]): ReadonlySet<unknown>[] {
  const known = new Set<unknown>(operationsOf(document).map(({ id }) => id));
  return changes
    .toReversed()
    .map((change) => {
      if (change.kind === "breaking" && Array.isArray(change.operations))
        for (const name of change.operations) known.add(name);
      return new Set(known);
    })
    .reverse();
}

function isDay(value: unknown): boolean {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const at = Date.parse(value);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
}

function isLater(version: string, than: string): boolean {
  const [one = [], other = []] = [version, than].map((text) => text.split(".").map(Number));
  const place = one.findIndex((part, index) => part !== other[index]);
  return place !== -1 && one[place]! > (other[place] ?? 0);
}

function finding(below: string, message: string): Finding {
  return { rule: "changelog", at: `#/${changelogKey}${below}`, message };
}
