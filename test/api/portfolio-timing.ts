import { hashKey } from "../../src/access/credentials.ts";
import type { Charge, Ledger } from "../../src/access/ledger/ledger.ts";
import { writeTransaction } from "../../src/store/database.ts";
import { Random } from "../sim/random.ts";
import { PortfolioRows } from "../support/portfolios.ts";
import { compare, Stopwatch, sampleRounds, type Verdict } from "../support/timing.ts";
import { World } from "../support/world.ts";
import { patientPlans, portfolioOperations, targetOf } from "./portfolio-people.ts";

/** `reported` lists the classes with another duration than an unknown id, with each repetition's verdict. */
export type TimingReport = {
  rounds: number;
  verdicts: { operation: string; relation: Relation; verdict: Verdict }[];
  reported: { operation: string; relation: Relation; verdicts: Verdict[] }[];
};

export type Relation = (typeof relations)[number];
export type TimingWorld = { world: World; ids: Record<Relation, string[]>; secret: string };

export const realRelations = ["deleted", "foreign", "foreignPublic", "movedAway", "unselected"] as const;
const relations = ["nonexistent", "alsoNonexistent", "malformed", ...realRelations] as const;

/** A smaller probability is checked again with new samples. */
const pSuspect = 0.001;
/** A fifth of a microsecond goes to the key's own selection before the portfolio was deleted or moved. Clients cannot measure so little. */
const noticeableUs = 0.5;
/** Number of significant results in a row with the same sign. Equal classes reach it once in a billion runs. */
const repetitions = 3;
const warmUpRounds = 60;
const baseline = "nonexistent";
/** The text of an id costs a tenth of a microsecond more or less: each relation has many, so that only the relation differs. */
const idsOfRelation = 100;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Charges nothing and replies at once. Noise of the disk would hide the difference. */
const instantLedger: Ledger = {
  charge: (_charge: Charge) => Promise.resolve({ used: 1, limit: 1_000_000, expiresAt: null }),
  endLease: () => Promise.resolve(),
  probe: () => Promise.resolve(),
  fatal: new Promise(() => {}),
  close: () => Promise.resolve(),
};

/**
 * The program with portfolios in each relation to a token that may read none of them. All ids have the same length.
 * `realLedger`: each answer waits for the disk, as the product's do.
 */
export async function openTimingWorld({ realLedger = false } = {}): Promise<TimingWorld> {
  const ledger = realLedger ? {} : { ledger: instantLedger };
  const world = await World.start({ instead: { plans: patientPlans, ...ledger } });
  const random = new Random(1);
  const tail = (length: number) => Array.from({ length }, () => alphabet[random.between(0, 61)]).join("");
  const [me, other] = [world.account("quant"), world.account("quant")];
  const secret = world.key(me.accountId, "personal", "portfolio:read");
  const [row] = world.sql("SELECT key_id AS keyId FROM api_keys WHERE secret_hash = ?", hashKey(secret));
  const make = (rows: PortfolioRows, relation: Relation): string => {
    if (relation === "malformed") return `pf_${tail(10)}-${tail(13)}`;
    if (relation === "nonexistent" || relation === "alsoNonexistent") return `pf_${tail(24)}`;
    const owner = relation.startsWith("foreign") ? other : me;
    const id = rows.portfolio(tail(24), owner.accountId, { isPublic: relation === "foreignPublic" });
    if (relation === "deleted" || relation === "movedAway") rows.select(String(row?.keyId), id);
    if (relation === "deleted") rows.remove(id);
    if (relation === "movedAway") rows.transfer(id, other.accountId);
    return id;
  };
  const ids = Object.fromEntries(relations.map((relation) => [relation, [] as string[]])) as Record<Relation, string[]>;
  world.change((database) =>
    writeTransaction(database, () => {
      const rows = new PortfolioRows(database);
      // In turn, so that no relation has a separate part of the file.
      for (let index = 0; index < idsOfRelation; index += 1)
        for (const relation of relations) ids[relation].push(make(rows, relation));
    }),
  );
  return { world, secret, ids };
}

/** Compares the answers on each class of ids with those on an id that does not exist, for each operation. */
export async function timingRing(
  { world, ids, secret }: TimingWorld,
  { rounds, seed, operations = portfolioOperations }: { rounds: number; seed: number; operations?: readonly string[] },
): Promise<TimingReport> {
  const random = new Random(seed);
  const watch = new Stopwatch(world.app.port);
  const report: TimingReport = { rounds, verdicts: [], reported: [] };
  for (const operation of operations) {
    const measure = (relation: Relation) => {
      // A new minute for the limiter now and then.
      world.clock.advance(100);
      const target = targetOf(operation, random.pick(ids[relation]));
      const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
      return watch.measure(Buffer.from(head), 404);
    };
    const verdictsOn = async (suspected: readonly Relation[]) => {
      const samples = await sampleRounds([baseline, ...suspected], rounds, random, measure);
      return suspected.map((relation) => {
        const verdict = compare(samples.get(relation)!, samples.get(baseline)!, random);
        return { operation, relation, verdict };
      });
    };
    await sampleRounds(relations, warmUpRounds, random, measure);
    const first = await verdictsOn(relations.filter((relation) => relation !== baseline));
    report.verdicts.push(...first);
    let suspects = first
      .filter(isSuspect)
      .map(({ relation, verdict }) => ({ operation, relation, verdicts: [verdict] }));
    for (let repetition = 1; repetition < repetitions && suspects.length > 0; repetition += 1) {
      const again = await verdictsOn(suspects.map(({ relation }) => relation));
      for (const [index, { verdict }] of again.entries()) suspects[index]!.verdicts.push(verdict);
      suspects = suspects.filter(({ verdicts }) => isSuspect({ verdict: verdicts.at(-1)! }) && haveOneSign(verdicts));
    }
    report.reported.push(...suspects);
  }
  watch.close();
  return report;
}

function isSuspect({ verdict }: { verdict: Verdict }): boolean {
  return verdict.p < pSuspect && Math.abs(verdict.medianUs) >= noticeableUs;
}

function haveOneSign(verdicts: readonly Verdict[]): boolean {
  return new Set(verdicts.map(({ medianUs }) => Math.sign(medianUs))).size === 1;
}
