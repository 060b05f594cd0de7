import type { Replacement } from "../subject.ts";

const rows = "src/store/postgres/ledger.ts";
const places = "src/store/postgres/places.ts";
const decisions = "src/access/ledger/transactions.ts";
const reads = "src/store/postgres/access-reads.ts";
const writer = "src/access/ledger/postgres-writer.ts";
const credentials = "src/access/remote-credentials.ts";
const admission = "src/access/admission.ts";

/** `seed`: a seed whose first 250 steps notice it. `isOfSql`: it is in the text of a statement. */
type SeededNodesBug = Replacement & { seed: number; isOfSql: boolean };

/** Bugs that nobody notices but PostgreSQL. */
const ofSql: ReadonlySet<string> = new Set([
  "a batch reads a snapshot that is older than its locks",
  "the month is that of the database's time zone",
  "time is taken before the locks",
  "each account sees its own leases only",
  "each account sees its own streams of changes only",
  "starts of other nodes count for an hour",
  "a key that was revoked meanwhile is charged",
]);

/** Seeds of bugs that the first one does not notice in time. */
const seeds: Readonly<Record<string, number>> = {
  "streams of changes are counted without a lock": 5,
  "one request too many waits": 2,
  "keys and plans end by the node's clock": 6,
  "who was kept is charged whatever their secret is now": 2,
  "who was kept is charged whatever their plan is now": 6,
  "what speaks against a caller who was kept is told without a look": 2,
  "a minute is spent by who is looked up again": 6,
  "a key that was refused is kept": 2,
  "starts of other nodes count for an hour": 4,
  "a key that was revoked meanwhile is charged": 5,
  "the warning of the standby is ignored": 3,
  "a batch that is still on its way is not waited for": 61,
};

/** Bugs of distribution that the simulation of nodes must notice. */
export const seededNodesBugs: readonly SeededNodesBug[] = [
  bug("accounts are not locked", rows, "if (accountIds.length > 0) sent", "if (accountIds.length < 0) sent"),
  bug(
    "export places are counted without a lock",
    rows,
    "if (needsAll) sent.push",
    "if (needsAll && !needsSlots) sent.push",
  ),
  bug("streams of changes are counted without a lock", rows, "if (needsAll) sent.push", "if (needsSlots) sent.push"),
  bug(
    "each node counts places for itself",
    decisions,
    "const held = this.#shared.places.held(place.kind);",
    "const held: { accountId: string; expiresAt: number }[] = [];",
  ),
  bug(
    "one request too many waits",
    decisions,
    "if (own.length >= perAccount) blocks.push",
    'if (own.length > perAccount || (own.length === perAccount && place.kind === "changes")) blocks.push',
  ),
  bug(
    "each account sees its own streams of changes only",
    places,
    " OR (kind = 'changes' AND 'changes' = ANY ($7::text[])))",
    " OR ($7::text[]) IS NULL)",
  ),
  bug("a place that was left stays taken", places, "this.#ended.push(requestId);\n    return true;", "return true;"),
  bug("the place of a dead node never ends", places, "if (expiresAt > at) this", "if (expiresAt > at - 1e9) this"),
  bug(
    "a batch reads before its locks",
    rows,
    'if (accountIds.length > 0) sent.push(client.query({ name: "lock", text: lockAccounts, values: [accountIds] }));',
    "",
    {
      find: "await allAnswered([...sent, loading]);",
      put: 'if (accountIds.length > 0) sent.push(client.query({ name: "lock", text: lockAccounts, values: [accountIds] }));\n    await allAnswered([...sent, loading]);',
    },
  ),
  bug(
    "a batch reads a snapshot that is older than its locks",
    rows,
    "BEGIN ISOLATION LEVEL READ COMMITTED",
    "BEGIN ISOLATION LEVEL REPEATABLE READ",
  ),
  bug(
    "the month is that of the database's time zone",
    rows,
    "to_char(now AT TIME ZONE 'UTC', 'YYYY-MM')",
    "to_char(now, 'YYYY-MM')",
  ),
  bug("instants are those of the node's clock", writer, "({ ...request, at: rows.at })", "({ ...request })"),
  bug(
    "time is taken before the locks",
    rows,
    "(SELECT clock_timestamp() AS now) c",
    "(SELECT to_timestamp(nullif(current_setting('sim.at', true), '')::float8) AS now) c",
    {
      find: "if (accountIds.length > 0) sent",
      put: "sent.push(client.query(\"SELECT set_config('sim.at', extract(epoch FROM clock_timestamp())::text, true)\"));\n    if (accountIds.length > 0) sent",
    },
  ),
  bug(
    "each node counts minutes for itself",
    writer,
    "new LedgerDecisions(rows, rows, rows, this.#options)",
    "new LedgerDecisions(rows, rows, null, this.#options)",
  ),
  bug(
    "requests without a unit are not told to the others",
    writer,
    "readonly sharesMinutes = true;",
    "readonly sharesMinutes = false;",
  ),
  bug(
    "one request too many in the minute of all",
    rows,
    "const admitted = counted.used < limit;",
    "const admitted = counted.used <= limit;",
  ),
  bug(
    "the minute of another account is counted",
    rows,
    "const known = this.#minutes.get(accountId);",
    "const known = [...this.#minutes.values()][0];",
  ),
  bug(
    "the minute that another node began goes on for ever",
    rows,
    "known !== undefined && known.minute >= minute ? known",
    "known !== undefined ? known",
  ),
  bug("a minute is not written", rows, "counted.changed = true;", ""),
  bug(
    "each account sees its own leases only",
    rows,
    "WHERE state = 'reserved' OR lease_id = ANY ($4::text[])",
    "WHERE lease_id = ANY ($4::text[])",
  ),
  bug(
    "starts of other nodes count for an hour",
    rows,
    ["admitted_at > t.at - $", "{dayMs}"].join(""),
    ["admitted_at > t.at - $", "{dayMs / 24}"].join(""),
  ),
  bug(
    "an ended lease is not written",
    rows,
    "const ended = this.#leases.filter(({ leaseId, state }) => (this.#before.get(leaseId) ?? state) !== state);",
    "const ended: Lease[] = [];",
  ),
  bug(
    "the lease of a dead node never ends",
    rows,
    "if (lease.expiresAt > at) continue;",
    "if (lease.expiresAt > at - 1e9) continue;",
  ),
  bug(
    "a key that was revoked meanwhile is charged",
    rows,
    "k.expires_at, k.revoked_at, a.disabled_at",
    "k.expires_at, NULL, a.disabled_at",
  ),
  bug(
    "a key that was looked up is kept without end",
    reads,
    "return new Promise((resolve, reject) => {",
    `const kept = ((globalThis as { kept?: Map<string, Found> }).kept ??= new Map());
    const known = kept.get(secretHash.toString("hex"));
    if (known !== undefined) return Promise.resolve({ row: known.row, at: known.at });
    return new Promise((resolveFirst, reject) => {
      const resolve = (found: Found | undefined) => {
        if (found !== undefined) kept.set(secretHash.toString("hex"), found);
        resolveFirst(found);
      };`,
  ),
  bug(
    "looks that came together get each other's answers",
    reads,
    'for (const { hash, resolve } of asked) resolve(rows.get(hash.toString("hex")));',
    "asked.forEach(({ resolve }, index) => resolve([...rows.values()][index]));",
  ),
  bug(
    "keys and plans end by the node's clock",
    credentials,
    "callerOf(found?.row, found?.at ?? 0)",
    "callerOf(found?.row, (found?.at ?? 0) + 1_800_000)",
  ),
  bug(
    "a caller is kept without end",
    credentials,
    "known === undefined || this.#clock.monotonicMs() >= known.untilMs",
    "known === undefined",
  ),
  bug(
    "who was kept is charged whatever their secret is now",
    decisions,
    "this.#shared?.hasSecret(keyId, kept.secretHash) !== true",
    "this.#shared === null",
  ),
  bug("who was kept is charged whatever their plan is now", decisions, "kept.plan !== plan || ", ""),
  bug(
    "what speaks against a caller who was kept is told without a look",
    admission,
    "if (caller.keptBy !== undefined) return new CallerChanged();",
    "",
  ),
  bug(
    "a minute is spent by who is looked up again",
    admission,
    "if (error instanceof CallerChanged) this.#limiter.giveBack(caller.accountId, at);",
    "",
  ),
  bug("a key that was refused is kept", credentials, "this.#kept.delete(hash);\n    const caller", "const caller"),
  bug(
    "a commit whose answer is lost counts as not done",
    writer,
    "if (!(await this.#isCommitted(number))) throw new NotWritten(error);",
    "throw new NotWritten(error);",
  ),
  bug(
    "a commit whose answer is lost counts as done",
    writer,
    "if (!(await this.#isCommitted(number))) throw new NotWritten(error);",
    "await this.#isCommitted(number);",
  ),
  bug(
    "a commit whose answer is lost is done once more",
    writer,
    "if (!(await this.#isCommitted(number))) throw new NotWritten(error);",
    "return this.#commitOnce(requests);",
  ),
  bug(
    "a batch that is still on its way is not waited for",
    rows,
    "WHERE epoch = $6 FOR NO KEY UPDATE)",
    "WHERE epoch = $6)",
  ),
  bug("a commit that ended in a rollback counts as done", rows, 'if (command !== "COMMIT") {', 'if (command === "") {'),
  bug("the warning of the standby is ignored", writer, "throw new NotWritten(new Error(this.#warning));", ""),
  bug("the start of each node has the same name", writer, "systemIds().secret(20)", '"one"'),
  bug("each batch has the same number", writer, "const number = this.#batch + 1;", "const number = 1;"),
];

function bug(name: string, file: string, find: string, put: string, also?: Replacement["also"]): SeededNodesBug {
  const change = { name, file, find, put, seed: seeds[name] ?? 1, isOfSql: ofSql.has(name) };
  return also === undefined ? change : { ...change, also };
}
