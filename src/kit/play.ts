import { setTimeout } from "node:timers/promises";
import type { Entry } from "../sandbox/journal.ts";
import type { StartReplay } from "../sandbox/replay/recorded-market.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { systemClock } from "../values/time/clock.ts";
import { Adapter, type KitReply } from "./adapter.ts";
import { answerFaults, wireFaults } from "./judge.ts";
import type { Scenario } from "./scenario.ts";
import { Served } from "./served.ts";

/** Default deadline of a call, ms. */
const deadlineMs = 10_000;
/** Time after a reply in which later requests of the client are still counted, ms. */
const settleMs = 150;

/** Results without a request and a reply after which the command is refused. */
const deadMost = 3;
/** Most waits for the end of a connection that the client gave up. */
const closeWaitsMax = 10;

/** The result of one scenario. `reasons` is empty unless it failed. */
export type Result = {
  scenario: Scenario;
  verdict: "passed" | "failed" | "not_offered";
  reasons: readonly string[];
  /** Null if the client ended, hung or wrote anything else. */
  reply: KitReply | null;
  /** Requests that the client sent. */
  requests: number;
  ms: number;
  stderr: string;
};

/** Parts of a run. `lanes` is the number of client processes. `startReplay` starts the world of one scenario with a replay. */
type KitRun = {
  sandbox: Pick<Sandbox, "port" | "controlKey" | "keys" | "token">;
  command: string;
  lanes: number;
  startReplay: StartReplay;
  signal: AbortSignal;
  onResult(result: Result): void;
};

/**
 * Plays scenarios against a sandbox. Returns the results in the order of the scenarios.
 * @throws {OperatorError} if the command ends without a request or a reply each time, or the reason of `signal`.
 */
export async function playAll(scenarios: readonly Scenario[], run: KitRun): Promise<Result[]> {
  const player = new Player(run);
  const failure = new AbortController();
  const signal = AbortSignal.any([run.signal, failure.signal]);
  const results: Result[] = [];
  const queue = interleaved(scenarios).values();
  const lane = async () => {
    const adapter = new Adapter(run.command, signal);
    const kill = () => adapter.kill();
    signal.addEventListener("abort", kill);
    try {
      for (const scenario of queue) {
        signal.throwIfAborted();
        const result = await player.play(scenario, adapter);
        signal.throwIfAborted();
        run.onResult(result);
        results.push(result);
        refuseDead(results);
      }
      await adapter.end();
    } catch (error) {
      failure.abort(error);
      throw error;
    } finally {
      signal.removeEventListener("abort", kill);
      adapter.kill();
    }
  };
  await Promise.all(Array.from({ length: Math.min(run.lanes, scenarios.length) }, lane));
  return results.sort((one, other) => scenarios.indexOf(one.scenario) - scenarios.indexOf(other.scenario));
}

/** Stops a run if its first results show that the command cannot start. */
function refuseDead(results: readonly Result[]): void {
  if (results.length !== deadMost || results.some(({ reply, requests }) => reply !== null || requests > 0)) return;
  const { reasons, stderr } = results[0]!;
  throw new OperatorError(`--client: ${reasons[0]}\n${stderr}`.trimEnd(), exitCodes.usage);
}

/** Orders the scenarios by turns of their groups, so that few exports run at once. */
function interleaved(scenarios: readonly Scenario[]): Scenario[] {
  const groups = [...Map.groupBy(scenarios, ({ group }) => group).values()];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => groups.flatMap((group) => group.slice(index, index + 1))).flat();
}

class Player {
  readonly #run: KitRun;
  readonly #base: string;
  readonly #served: Served;
  readonly #isReplay: boolean;
  /** Requests without a key share one journal, so their scenarios are played in turn. */
  #keyless: Promise<unknown> = Promise.resolve();

  constructor(run: KitRun, isReplay = false) {
    this.#run = run;
    this.#isReplay = isReplay;
    this.#base = `http://127.0.0.1:${run.sandbox.port}`;
    this.#served = new Served(this.#base);
  }

  async play(scenario: Scenario, adapter: Adapter): Promise<Result> {
    if (scenario.replay !== undefined && !this.#isReplay) {
      const sandbox = await this.#run.startReplay(scenario.replay);
      try {
        return await new Player({ ...this.#run, sandbox }, true).play(scenario, adapter);
      } finally {
        await sandbox.close();
      }
    }
    if (scenario.key !== null) {
      const { key = {}, script = [] } = scenario;
      const made = (await this.#control("POST", "keys", { ...key, script })) as { key: string; key_id: string };
      return this.#playWith(scenario, adapter, made.key, async () => this.#journal(`keys/${made.key_id}/journal`));
    }
    const before = this.#keyless;
    const turn = before.then(async () => {
      const seen = (await this.#journal("journal")).length;
      return this.#playWith(scenario, adapter, null, async () => (await this.#journal("journal")).slice(seen));
    });
    this.#keyless = turn.catch(() => undefined);
    return turn;
  }

  async #playWith(
    scenario: Scenario,
    adapter: Adapter,
    key: string | null,
    readJournal: () => Promise<Entry[]>,
  ): Promise<Result> {
    const { sandbox } = this.#run;
    const plain = scenario.key?.kind === "personal" ? sandbox.token : sandbox.keys.quant;
    const needsServed = scenario.answer.some((right) => "value" in right && !isLiteral(right.value));
    const before = needsServed && !this.#isReplay ? await this.#served.value(scenario.call, plain) : null;
    const beganMs = systemClock.monotonicMs();
    const { deadline_ms = deadlineMs, parameters = {}, ...call } = scenario.call;
    const facts = { ...call, parameters, deadline_ms };
    const { reply, fault, stderr } = await adapter.ask({ id: scenario.name, base_url: this.#base, key, ...facts });
    const tookMs = Math.round(systemClock.monotonicMs() - beganMs);
    const entries = await settled(readJournal, scenario.wire.hung_up === true);
    const common = { scenario, reply, requests: entries.length, ms: tookMs, stderr };
    if (reply !== null && "unsupported" in reply) return { ...common, verdict: "not_offered", reasons: [] };
    // The client moves the market of a replay.
    const served = needsServed && this.#isReplay ? await this.#served.copy(plain) : before;
    const ofAnswer = reply === null ? [fault ?? ""] : answerFaults(scenario, reply, served);
    const reasons = [...ofAnswer, ...wireFaults(scenario, entries)];
    return { ...common, verdict: reasons.length === 0 ? "passed" : "failed", reasons };
  }

  async #journal(path: string): Promise<Entry[]> {
    return ((await this.#control("GET", path)) as { data: Entry[] }).data;
  }

  async #control(method: string, path: string, body?: object): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${this.#run.sandbox.controlKey}`,
      "content-type": "application/json",
      // A busy sandbox may close an idle connection just as it is used again.
      connection: "close",
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${this.#base}/sandbox/${path}`, { method, headers, ...sent });
    const json: unknown = await answer.json();
    if (!answer.ok) throw new Error(`the sandbox refused ${path}: ${(json as { error: string }).error}`);
    return json;
  }
}

/** Reads the journal once late requests have had time to arrive and, if `isClosed`, once the last connection is closed. */
async function settled(readJournal: () => Promise<Entry[]>, isClosed: boolean): Promise<Entry[]> {
  for (let waits = 1; ; waits += 1) {
    await setTimeout(settleMs);
    const entries = await readJournal();
    if (!isClosed || entries.at(-1)?.closed !== null || waits === closeWaitsMax) return entries;
  }
}

function isLiteral(value: unknown): boolean {
  return typeof value === "object" && value !== null && "has" in value;
}
