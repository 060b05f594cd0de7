import { createHash } from "node:crypto";
import type { DayExports } from "../../src/store/read/day-exports.ts";
import type { Difference, ExportStatesStore } from "../../src/store/read/export-states.ts";
import type { GenerationsStore } from "../../src/store/read/generations.ts";
import type { SealedDayRow } from "../../src/store/read/sealed-days.ts";
import type { TestClock } from "../support/clock.ts";
import { type Ask, dayMs, type Publication } from "./operations.ts";

/** `share` is the part of an export's bytes that changed since the state before. */
type State = { stateId: number; generationId: number; identity: number; since: number; share: number };

/** The resource that a request names. */
export type Asked =
  | { of: "day"; day: number; resolution: "daily" | "hourly" }
  | { of: "changes"; generationId: number; identity: number }
  /** `waits` is true if nothing newer is published at the request, so that it uses a waiting slot. */
  | { of: "generation"; after: number | null; waitMs: number; waits: boolean };

const dayIds = 100;
const dayLine = "{}\n";
const dayPages = 2;
const recordBytes = 40_000;
const unknownIdentity = 0;

/**
 * A small market in memory, with the interface of the file's stores. A run tests who may read it, when and at which price. Every fifth day
 * is not sealed. Another fifth of the days has no hours any more.
 */
export class SimulatedMarket {
  readonly #clock: TestClock;
  readonly #states: State[] = [];
  #revision = 1;

  constructor(clock: TestClock) {
    this.#clock = clock;
    this.#add(1, 1, 1);
  }

  get generationId(): number {
    return this.#state.generationId;
  }

  get stateId(): number {
    return this.#state.stateId;
  }

  publish({ of, share }: Publication): void {
    const { generationId, identity } = this.#state;
    if (of === "generation") this.#add(generationId + 1, identity, share);
    else if (of === "catalog") this.#add(generationId, identity + 1, share);
    else if (of === "days") this.#revision += 1;
  }

  /** Returns the resource that a request names now. */
  asked(ask: Ask): Asked {
    if (ask.of === "day") {
      return { of: "day", day: Math.floor(this.#clock.now() / dayMs) - ask.daysBack, resolution: ask.resolution };
    }
    if (ask.of === "generation") {
      const { after, seconds } = ask;
      const known = after === "before" ? this.generationId - 1 : this.generationId;
      const waits = seconds > 0 && after !== null && known >= this.generationId;
      return { of: "generation", after: after === null ? null : known, waitMs: seconds * 1000, waits };
    }
    const { generationId, identity } = this.#states.at(-1 - (ask.statesBack ?? 0)) ?? this.#states[0]!;
    return { of: "changes", generationId, identity: ask.statesBack === null ? unknownIdentity : identity };
  }

  /** The current revision of a day, or null if the day has none of that resolution. */
  revision({ day, resolution }: Asked & { of: "day" }): number | null {
    if (day >= Math.floor(this.#clock.now() / dayMs) || day % 5 === 0) return null;
    return resolution === "hourly" && day % 5 === 1 ? null : this.#revision;
  }

  /** The share of an export's bytes that changed since a state, or null if the state is unknown. */
  changedSince(held: { generationId: number; identity: number }): number | null {
    const from = this.#states.findLast(
      ({ generationId, identity }) => generationId === held.generationId && identity === held.identity,
    );
    if (from === undefined) return null;
    const later = this.#states.slice(from.stateId);
    if (later[0] !== undefined && this.#clock.now() - later[0].since > dayMs) return null;
    return later.reduce((sum, { share }) => sum + share, 0);
  }

  /** The market as `Generations` and its waiters read it. */
  get generations(): GenerationsStore {
    const row = () => ({ generationId: this.generationId, ingestedAt: 0, items: 1, bytes: 1, digest: digestOf(0) });
    return {
      currentId: () => this.generationId,
      current: row,
      published: () => ({ ...row(), supersededAt: null }),
    } as object as GenerationsStore;
  }

  get exportStates(): ExportStatesStore {
    return {
      current: () => this.#row(this.#state),
      since: (held: { generationId: number; identityDigest: Buffer }, _at: number, shareMax: number) =>
        this.#difference({ ...held, identity: held.identityDigest.readUInt32BE() }, shareMax),
      page: (ids: readonly number[]) => {
        return {
          stateId: this.stateId,
          items: ids.length,
          removed: 0,
          lines: ids.length > 0 ? Buffer.from("{}\n") : null,
        };
      },
    } as object as ExportStatesStore;
  }

  get dayExports(): DayExports {
    const digest = createHash("sha256").update(dayLine.repeat(dayPages)).digest();
    const current = (day: number, resolution: "daily" | "hourly") => {
      const revision = this.revision({ of: "day", day, resolution });
      return revision === null ? null : { day, revision, sealedAt: 0, itemIdMax: dayIds, digest, hourlyDigest: digest };
    };
    return {
      current,
      frames: () => [],
      pages:
        ({ day, revision }: SealedDayRow, resolution: "daily" | "hourly") =>
        () =>
          current(day, resolution)?.revision === revision ? { lines: dayLine, rows: 1 } : null,
    } as object as DayExports;
  }

  get #state(): State {
    return this.#states.at(-1)!;
  }

  #add(generationId: number, identity: number, share: number): void {
    const stateId = this.#states.length + 1;
    this.#states.push({ stateId, generationId, identity, since: this.#clock.now(), share });
  }

  #difference(held: { generationId: number; identity: number }, shareMax: number): Difference | null {
    const share = this.changedSince(held);
    if (share === null) return null;
    const ids = share === 0 ? [] : [2, 4];
    const items = share > shareMax ? null : { ids, bytes: ids.map(() => recordBytes) };
    return { from: this.#row({ ...this.#state, ...held }), to: this.#row(this.#state), items };
  }

  #row({ stateId, generationId, identity }: State) {
    const digests = { digest: digestOf(generationId), identityDigest: digestOf(identity) };
    return { stateId, generationId, ingestedAt: 0, exportBytes: 1, ...digests };
  }
}

/** A digest that encodes its number. */
export function digestOf(number: number): Buffer {
  const digest = Buffer.alloc(32);
  digest.writeUInt32BE(number);
  return digest;
}
