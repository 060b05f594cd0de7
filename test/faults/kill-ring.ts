import { setTimeout as wait } from "node:timers/promises";
import { checkDatabase } from "../../src/store/check/check.ts";
import { Random } from "../sim/random.ts";
import { until } from "../support/until.ts";
import { ServerChild } from "./child.ts";
import { FaultFile } from "./fault-file.ts";
import { Load } from "./load.ts";

export type KillReport = {
  kills: number;
  /** Requests that were answered as charged, in all rounds. */
  answered: number;
  /** Units that were recorded and never answered: the server died in between. */
  unanswered: number;
  /** Requests in flight at the kills. */
  inFlight: number;
  /** Items in complete and in broken streams of changes. */
  changedItems: number;
  /** Streams of changes that a kill cut after items, and kills that were meant to. */
  cutStreams: number;
  killsInStreams: number;
  /** Faults, each with its round. Empty in a good run. */
  faults: string[];
};

const accounts = 32;
/** With addresses so long, their lines are 2 MB of a stream of changes: more than is sent before its client has read of it twice. */
const changedItems = 1200;
const addressLength = 1200;

/**
 * Starts the server on one file again and again under load, and kills it. In every other round, starting with the first, the kill is in the
 * middle of a stream of changes, else at a random moment. Compares the clients' responses with the ledger after the next start.
 */
export async function killRing({ kills = 8, connections = 48, seed = 1 }): Promise<KillReport> {
  const random = new Random(seed);
  const file = new FaultFile();
  const report: KillReport = {
    kills: 0,
    answered: 0,
    unanswered: 0,
    inFlight: 0,
    changedItems: 0,
    cutStreams: 0,
    killsInStreams: 0,
    faults: [],
  };
  let server: ServerChild | null = null;
  try {
    const people = file.people(accounts);
    const held = file.publishTwice(changedItems, addressLength);
    server = await ServerChild.start(file.path);
    for (let round = 1; round <= kills; round += 1) {
      const before = file.ledger().requestIds;
      const load = new Load(server.base, people, connections, random, held);
      const answers = random.between(0, 150);
      // A stream of changes has begun by then.
      const isUnderLoad = () => load.reported.charged.size >= answers && load.changedItems > 0;
      await until("answers and changed items under load", isUnderLoad);
      const isInStream = round % 2 === 1;
      if (isInStream) await killInStream(load, server);
      else await wait(random.between(0, 20));
      load.stop();
      const inFlight = load.waiting;
      await server.stop();
      await load.over();
      report.kills += 1;
      report.killsInStreams += isInStream ? 1 : 0;
      server = await ServerChild.start(file.path);
      checkOutcome({ report, round, inFlight, load, before, file });
    }
    await server.stop();
    for (const fault of checkDatabase(file.path).faults) report.faults.push(`after round ${kills}: ${fault}`);
    return report;
  } finally {
    await server?.stop();
    file.remove();
  }
}

/** Kills the server when items of a stream arrive. The client pauses its reading, so the rest cannot have been sent. */
async function killInStream(load: Load, server: ServerChild): Promise<void> {
  await new Promise<void>((resolve) => {
    load.onItems = () => {
      server.signal("SIGKILL");
      load.onItems = null;
      resolve();
    };
  });
}

type Round = {
  report: KillReport;
  round: number;
  inFlight: number;
  load: Load;
  before: ReadonlySet<string>;
  file: FaultFile;
};

function checkOutcome({ report, round, inFlight, load, before, file }: Round): void {
  const { charged, rejected, unavailable } = load.reported;
  const { requestIds, faults } = file.ledger();
  const recorded = [...requestIds].filter((id) => !before.has(id));
  const unanswered = recorded.filter((id) => !charged.has(id)).length;
  const say = (isFault: boolean, what: string) => {
    if (isFault) report.faults.push(`round ${round}: ${what}`);
  };
  const lost = [...charged].filter((id) => !requestIds.has(id));
  say(lost.length > 0, `${lost.length} answered requests are not recorded, such as ${lost[0]}`);
  say(
    [...before].some((id) => !requestIds.has(id)),
    "units of earlier rounds are gone",
  );
  say(unanswered > inFlight, `${unanswered} units were never answered, and ${inFlight} requests were in flight`);
  say(
    [...rejected].some((id) => requestIds.has(id)),
    "a rejected request is recorded",
  );
  say(unavailable.size > 0, `${unavailable.size} requests were answered with 503`);
  for (const fault of faults) say(true, fault);
  report.answered += charged.size;
  report.unanswered += unanswered;
  report.inFlight += inFlight;
  report.changedItems += load.changedItems;
  report.cutStreams += load.cutStreams;
}
