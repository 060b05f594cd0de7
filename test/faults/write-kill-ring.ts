import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { childProgram } from "../../scripts/support/child-program.ts";
import { MarketChanges } from "../../src/domain/market-changes.ts";
import { MarketSnapshot } from "../../src/domain/market-snapshot.ts";
import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { openReader, openWriter } from "../../src/store/database.ts";
import { ExportStatesStore } from "../../src/store/read/export-states.ts";
import { MarketSnapshotStore } from "../../src/store/read/market-snapshot.ts";
import { SealedDaysStore } from "../../src/store/read/sealed-days.ts";
import { daysToSeal } from "../../src/store/write/seal-days.ts";
import { dayOf } from "../../src/values/time/calendar.ts";
import { exportedState, foldFault, identityOf, rowsOf, type State } from "../domain/changes-ring.ts";
import { Random } from "../sim/random.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";
import { atOf, catalogOf, writeTurn } from "./market-writer.ts";

export type WriteKillReport = {
  kills: number;
  /** Kills after which changes led from the earlier to the found state, and kills that left a day to be sealed. */
  folded: number;
  unsealed: number;
  /** Revisions of days in the end. */
  revisions: number;
  /** Faults, each with its kill. Empty in a good run. */
  faults: string[];
};

/** Longest time from a finished turn to the kill, about the duration of a turn. */
const delayMsMax = 150;

/**
 * Kills a program that publishes, stores changes and seals days, again and again, and restarts it on the same file. After each kill the
 * file must be sound and sealed days must have their digests. The stored changes must lead from the earlier export to the current one.
 */
export async function writeKillRing({ kills = 4, seed = 1 }): Promise<WriteKillReport> {
  const random = new Random(seed);
  const folder = temporaryFolder();
  const path = join(folder, "market.db");
  const report: WriteKillReport = { kills: 0, folded: 0, unsealed: 0, revisions: 0, faults: [] };
  try {
    newDatabase(path, (database) => {
      importCatalog(database, catalogOf(0), atOf(0));
      writeTurn(database, 0);
    });
    let turn = 1;
    let held = stateOf(path, turn);
    while (report.kills < kills) {
      turn = await killed(path, turn, random);
      report.kills += 1;
      const now = stateOf(path, turn);
      const faults = [...checkDatabase(path, { hours: true }).faults, ...changesFaults(path, turn, held, now)];
      if (identityOf(held).equals(identityOf(now)) === false || held.generation !== now.generation) report.folded += 1;
      report.faults.push(...faults.map((fault) => `kill ${report.kills} of seed ${seed}: ${fault}`));
      if (toSeal(path, turn) > 0) report.unsealed += 1;
      held = now;
    }
    report.revisions = finish(path, turn, report.faults);
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the program from `turn` on, and kills it some time after a turn. Returns the turn that it was in. */
async function killed(path: string, turn: number, random: Random): Promise<number> {
  const program = childProgram(new URL("./market-writer-driver.ts", import.meta.url));
  const child = spawn(process.execPath, [...program, path, String(turn)], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let left = random.between(1, 3);
  let next = turn;
  for await (const line of createInterface(child.stdout)) {
    next = Number(line) + 1;
    left -= 1;
    if (left !== 0) continue;
    await wait(random.between(0, delayMsMax));
    child.kill("SIGKILL");
  }
  const [code] = await closed;
  if (code !== null) throw new Error(`the program ended with ${code} in turn ${next}`);
  return next;
}

/** Returns the contents of an export at a turn. */
export function stateOf(path: string, turn: number): State {
  return reading(path, (database) => {
    return exportedState(
      new MarketSnapshot(new MarketSnapshotStore(database)).open({ requestId: "req_export", at: atOf(turn) }),
      atOf(turn),
    );
  });
}

/** Applies the stored changes to `held`. Returns the faults if the result differs from `now`. */
export function changesFaults(path: string, turn: number, held: State, now: State): string[] {
  return reading(path, (database) => {
    const changes = new MarketChanges(new ExportStatesStore(database));
    const generationId = Number(held.generation.slice(1));
    const from = { generation: held.generation, generationId, identityDigest: identityOf(held) };
    const { rows } = rowsOf(changes.open(from, { requestId: "req_changes", at: atOf(turn) }));
    const fault = foldFault(rows, held, now);
    return fault === null ? [] : [fault];
  });
}

function toSeal(path: string, turn: number): number {
  return reading(path, (database) => daysToSeal(database, dayOf(atOf(turn))).length);
}

/** Does one more turn, after which nothing is left to be done. Returns the number of revisions. */
function finish(path: string, turn: number, faults: string[]): number {
  const writer = openWriter(path, 5000);
  writeTurn(writer, turn);
  const left = daysToSeal(writer, dayOf(atOf(turn))).length;
  const revisions = new SealedDaysStore(writer).page({ day: Number.MAX_SAFE_INTEGER, revision: 0 }, 10_000).length;
  writer.$client.close();
  if (left > 0) faults.push(`${left} days are left to be sealed`);
  faults.push(...checkDatabase(path, { hours: true }).faults);
  return revisions;
}

function reading<T>(path: string, read: (database: ReturnType<typeof openReader>) => T): T {
  const database = openReader(path);
  try {
    return read(database);
  } finally {
    database.$client.close();
  }
}
