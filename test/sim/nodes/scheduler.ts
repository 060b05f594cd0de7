import { setImmediate as turn } from "node:timers/promises";
import type { PostgresRelay, RelayEvents, RelayLink, RelayRequest } from "../../support/postgres-relay.ts";
import { Violation } from "../checker.ts";
import type { Random } from "../random.ts";

/** One program behind a relay. */
export type Actor = {
  readonly name: string;
  readonly relay: PostgresRelay;
  /** Returns whether a request of the kind must be on its way to the database: a read of keys or usage, or the ledger's. */
  expects(kind: "look" | "ledger"): boolean;
};

/** Decisions of a run about messages. */
export type Hooks = {
  /** Called before a request is forwarded. Resolves to true if the hook has handled it. */
  beforeForward(actor: Actor, link: RelayLink): Promise<boolean>;
  /** Called with a response before its client gets it. Returns false if the client must never get it. */
  answered(actor: Actor, link: RelayLink, request: RelayRequest): boolean;
  /** Called between two messages. */
  between(random: Random): Promise<void>;
  isBlocked(pid: number): Promise<boolean>;
};

const holdsAnswer = 0.25;
const endings = /^(COMMIT|ROLLBACK)/;
/** Statements that never wait for a lock. */
const neverBlocked = /^(BEGIN|COMMIT|ROLLBACK|keys$|usage$)/;

export function isLook({ name }: RelayRequest): boolean {
  return name === "keys" || name === "usage";
}

/**
 * Forwards the messages between programs and the server one at a time, in an order from a seed. Before each choice, every program has
 * reached a held message, a foreign lock or its end.
 */
export class Scheduler {
  readonly actors: Actor[] = [];
  /** The error that a listener found, if any. */
  broken: unknown = null;
  /** Number of waits for a foreign lock. */
  waits = 0;
  readonly #hooks: Hooks;
  readonly #stuckMs: number;
  readonly #blocked = new Set<RelayLink>();
  readonly #orphans = new Set<RelayLink>();
  readonly #early: (() => void)[] = [];
  #random: Random | null = null;
  #isDirty = false;
  #wake: () => void = () => {};

  /** `stuckMs` is the real time after which a request counts as never answered. */
  constructor(hooks: Hooks, stuckMs: number) {
    this.#hooks = hooks;
    this.#stuckMs = stuckMs;
  }

  /** The relay events of `actor`. Outside a play, every message is forwarded at once. */
  eventsOf(actor: () => Actor): RelayEvents {
    return {
      requested: (link) => {
        if (this.#random === null) link.forward();
        this.poke();
      },
      answered: (link, request) => {
        const take = () => this.#answered(actor(), link, request);
        // The server releases locks before it answers a commit, so a response that waited for a lock may overtake it.
        if (this.#blocked.has(link) && this.#isEnding()) this.#early.push(take);
        else take();
        this.#takeEarly();
      },
      changed: () => {
        this.#takeEarly();
        this.poke();
      },
    };
  }

  /** Returns whether the end of a transaction is sent and not answered. */
  #isEnding(): boolean {
    return this.actors.some(({ relay }) => relay.links.some(({ sent }) => endings.test(sent?.name ?? "")));
  }

  /** Handles the responses that overtook the end of the transaction they waited for. */
  #takeEarly(): void {
    if (!this.#isEnding()) for (const take of this.#early.splice(0)) take();
  }

  #answered(actor: Actor, link: RelayLink, request: RelayRequest): void {
    if (link.isOver) return;
    // It may have got its lock because the holder was cut off. Its next request is waited for like any other.
    this.#blocked.delete(link);
    const delivers = () => this.#random === null || request.name !== "COMMIT" || !this.#random.chance(holdsAnswer);
    if (!this.#hear(() => this.#hooks.answered(actor, link, request))) link.cut();
    else if (this.#orphans.has(link)) this.#leave(link, request);
    else if (link.answer !== null && delivers()) link.deliver();
    // Programs that wait for a lock may have it now.
    if (endings.test(request.name)) this.#blocked.clear();
    this.poke();
  }

  /** Reports progress. */
  poke(): void {
    this.#isDirty = true;
    this.#wake();
  }

  /** A connection without a client: its last request is still in progress. */
  orphan(link: RelayLink): void {
    this.#orphans.add(link);
    link.cutClient();
  }

  /** Forwards the requests of a disconnected client, up to its commit. */
  #leave(link: RelayLink, { name }: RelayRequest): void {
    if (name === "COMMIT" || !link.hasMore) link.cut();
    else link.swallow();
  }

  /** Plays until no program makes progress. */
  async play(random: Random): Promise<void> {
    this.#random = random;
    try {
      for (;;) {
        await this.#settle();
        const choices = this.#choices();
        if (choices.length === 0) {
          if (this.#blocked.size === 0) return;
          await this.#event();
          continue;
        }
        const { actor, link } = random.pick(choices);
        if (random.chance(0.15)) await this.#hooks.between(random);
        if (link.isOver) continue;
        if (link.answer !== null) link.deliver();
        else if (this.#orphans.has(link) || !(await this.#hooks.beforeForward(actor, link))) link.forward();
      }
    } finally {
      this.#random = null;
      this.#blocked.clear();
    }
  }

  #choices(): { actor: Actor; link: RelayLink }[] {
    return this.actors.flatMap((actor) =>
      actor.relay.links.filter(({ held, answer }) => held !== null || answer !== null).map((link) => ({ actor, link })),
    );
  }

  async #settle(): Promise<void> {
    for (;;) {
      this.#isDirty = false;
      await turn();
      if (this.broken !== null) throw this.broken;
      const links = this.actors.flatMap(({ relay }) => relay.links);
      const outstanding = links.filter((link) => link.sent !== null && !this.#blocked.has(link));
      if (outstanding.length > 0) {
        if (!(await this.#findBlocked(outstanding, links))) await this.#event();
        continue;
      }
      if (links.every(({ isReady }) => isReady) && this.actors.every((actor) => this.#hasCome(actor))) return;
      await this.#event();
    }
  }

  /** Asks the server for backends that wait for a lock. Returns true if it must ask again. */
  async #findBlocked(outstanding: readonly RelayLink[], links: readonly RelayLink[]): Promise<boolean> {
    const suspects = outstanding.filter((one) => {
      const others = links.some((link) => link !== one && link.inTransaction);
      return others && !neverBlocked.test(one.sent?.name ?? "");
    });
    for (const link of suspects) {
      if (link.sent === null || !(await this.#hooks.isBlocked(link.pid)) || link.sent === null) continue;
      this.#blocked.add(link);
      this.waits += 1;
    }
    return suspects.length > 0;
  }

  #hasCome({ relay, expects }: Actor): boolean {
    const own = relay.links.filter((link) => !this.#orphans.has(link));
    return (["look", "ledger"] as const).every((kind) => {
      if (!expects(kind)) return true;
      return own.some(({ held, sent, answer }) => {
        const request = held ?? sent;
        // Only answers to commits are held.
        return answer !== null ? kind === "ledger" : request !== null && isLook(request) === (kind === "look");
      });
    });
  }

  async #event(): Promise<void> {
    if (this.#isDirty) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Violation("I22", `somebody is never answered: ${this.#waitingFor()}`)),
        this.#stuckMs,
      );
    });
    const event = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([event, late]).finally(() => clearTimeout(timer));
  }

  /** Describes the operations in progress when no program makes progress. */
  #waitingFor(): string {
    const shown = this.actors.flatMap(({ name, relay, expects }) => [
      ...(["look", "ledger"] as const).filter((kind) => expects(kind)).map((kind) => `${name} has a ${kind}`),
      ...relay.links.map(({ held, sent, answer, isReady }) => {
        const request = held ?? sent;
        const state = held !== null ? "held" : sent !== null ? "sent" : answer !== null ? "answered" : "";
        return isReady
          ? state === ""
            ? ""
            : `${name}: ${state} ${request?.name.slice(0, 30) ?? ""}`
          : `${name} connects`;
      }),
    ]);
    return shown.filter((text) => text !== "").join("; ");
  }

  #hear(listen: () => boolean): boolean {
    try {
      return listen();
    } catch (error) {
      this.broken ??= error;
      return true;
    }
  }
}
