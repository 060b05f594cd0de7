import type { Replacement } from "./subject.ts";

const admission = "src/access/admission.ts";
const transactions = "src/access/ledger/transactions.ts";
const leases = "src/store/write/leases.ts";
const reads = "src/store/read/credentials.ts";
const places = "src/access/account-places.ts";
const handler = "src/api/api-handler.ts";
const streams = "src/api/streams.ts";
const table = "src/api/operations.ts";
const waiters = "src/domain/generation-waiters.ts";
const days = "src/domain/history-days.ts";

/** Bugs in the export of sealed days and in how long its stream goes on. */
export function bugsOfDays(): Replacement[] {
  return [
    bug(
      "a read that is refused keeps its place",
      handler,
      "else void lease.release().then(() => refuse(parts, exchange, error));",
      "else refuse(parts, exchange, error);",
    ),
    bug(
      "a day that was exported counts as a start",
      admission,
      'finish: isStart ? "finished" : "released"',
      'finish: "finished"',
    ),
    bug("a day under way counts as a start", reads, "operation = 'streamHistoryDay'))`", "operation = 'none'))`"),
    bug("a day of a dead process counts as a start", leases, "THEN 'released' ELSE", "THEN 'expired' ELSE"),
    bug(
      "used up starts refuse a day",
      transactions,
      'request.kind === "reserve" ? limits.snapshotStartsPerDay : null',
      "limits.snapshotStartsPerDay",
    ),
    bug("the Free plan reads hours of a day", days, 'if (resolution === "hourly") throw', "if (false) throw"),
    bug(
      "the Free plan reads a day more",
      days,
      "const first = dayOf(at) - freeDays;",
      "const first = dayOf(at) - freeDays - 1;",
    ),
    bug(
      "a stream goes on after its time",
      streams,
      "setTimeout(() => this.#res.destroy(), this.#msUntil(cutMarginMs)),",
      "",
    ),
  ];
}

/** Bugs in the places and charges of streams of changes. */
export function bugsOfChanges(): Replacement[] {
  return [
    bug(
      "changes that find no place are charged",
      admission,
      "const place = request.place == null ? null : this.#takePlace(request, request.place);",
      `let place: SnapshotLease | null = null;
       try {
         place = request.place == null ? null : this.#takePlace(request, request.place);
       } catch (error) {
         this.#ledger.charge(chargeOf("charge", request)).catch(() => {});
         throw error;
       }`,
    ),
    bug(
      "the read comes before the charge",
      handler,
      "const place = row.place?.(query) ?? null;",
      `const place = row.place?.(query) ?? null;
       if (place?.kind === "changes") row.read(query, { requestId, at } as never);`,
    ),
    bug("changes refused by the ledger keep their place", admission, "void place?.release();", ""),
    bug(
      "a stream whose client goes keeps its place",
      streams,
      "this.#scheduler.remove(this);\n    await this.#lease.finish();",
      "this.#scheduler.remove(this);",
    ),
    bug(
      "a client that goes before the read leaves its place taken",
      handler,
      "giveBack(admission);\n          return;",
      "return;",
    ),
    bug("an account may stream changes twice", places, "perAccount: 1,", "perAccount: 2,"),
    bug("one stream of changes too many in all", places, "this.#count[kind] >= inAll", "this.#count[kind] > inAll"),
  ];
}

/** Bugs in waiting for the next generation. */
export function bugsOfWaiting(): Replacement[] {
  return [
    bug("a fifth request waits", places, "waiting: {\n    perAccount: 4,", "waiting: {\n    perAccount: 5,"),
    bug(
      "the key is not judged again",
      handler,
      "= judgeAgain(parts, exchange, rule, readAt);",
      "= undefined as unknown;",
    ),
    bug("the plan is not judged again", handler, "parts.admissions.requirePlan(rule, caller, at);", ""),
    bug(
      "a waiting request is woken by nothing",
      waiters,
      "filter(({ after }) => current === null || current > after)",
      "filter(() => true)",
    ),
    bug(
      "a publication wakes nobody",
      waiters,
      "filter(({ after }) => current === null || current > after)",
      "filter(() => false)",
    ),
    bug(
      "the end of the service leaves who waits",
      waiters,
      "this.#open = false;\n    this.#wake([...this.#waiters]);",
      "this.#open = false;",
    ),
    bug("a request begins to wait while the service ends", waiters, "this.#open ? waitMs : 0", "waitMs"),
    bug(
      "an answer at once keeps the place",
      handler,
      "if (admission === null || admission.lease === null) send();",
      "if (exchange !== null) send();",
    ),
    bug("who goes while waiting keeps the place", handler, "cancel();\n    giveBack(admission);", "cancel();"),
    bug(
      "a waiting request holds a permit",
      handler,
      "const { res } = exchange;\n  parts.concurrency.release(exchange);",
      "const { res } = exchange;",
    ),
    bug(
      "who knows an older generation waits",
      table,
      "generations.isUnchanged(query) ? laterGeneration",
      "query.waitMs > 0 && query.after !== null ? laterGeneration",
    ),
  ];
}

function bug(name: string, file: string, find: string, put: string): Replacement {
  return { name, file, find, put };
}
