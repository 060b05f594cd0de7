import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import type { Link, RelayEvents } from "../../support/postgres-relay.ts";
import { Random } from "../random.ts";
import { type Actor, Scheduler } from "./scheduler.ts";

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
const answer = { tag: "", error: null, bytes: Buffer.alloc(0) };

/** A connection with requests one after another, each answered by `serve`. */
function linkOf(
  pid: number,
  names: string[],
  serve: (link: Link, done: () => void) => void,
): Link & { events?: RelayEvents } {
  const next = () => {
    const name = names.shift();
    return name === undefined ? null : { name, bytes: Buffer.alloc(0) };
  };
  const link: Link & { events?: RelayEvents } = {
    number: pid,
    pid,
    isReady: true,
    isOver: false,
    inTransaction: false,
    held: next(),
    sent: null,
    answer: null,
    forward() {
      const request = link.held!;
      link.sent = request;
      link.held = null;
      serve(link, () => {
        link.sent = null;
        link.answer = answer;
        link.events!.answered(link, request);
      });
    },
    deliver() {
      link.answer = null;
      link.held = next();
    },
    swallow() {},
    hasMore: false,
    cut() {},
    cutClient() {},
  };
  return link;
}

describe("the order in which messages of simulated nodes go on", () => {
  it("nothing goes on while a request is at the server, also when its connection has waited for a lock whose holder was cut off", async () => {
    for (const seed of seeds) {
      let unlocked: (() => void) | null = null;
      const at: string[] = [];
      const holder = linkOf(1, ["load"], () => {});
      const waiter = linkOf(2, ["lock", "load"], (link, done) => {
        if (link.sent?.name === "lock" && !holder.isOver) unlocked = done;
        // The server takes its time.
        else
          void turn()
            .then(() => turn())
            .then(() => turn())
            .then(done);
      });
      const other = linkOf(3, ["keys", "keys", "keys", "keys"], (_, done) => done());
      holder.inTransaction = true;
      const links = [holder, waiter, other];
      const scheduler = new Scheduler(
        {
          async beforeForward(_, link) {
            if (waiter.sent !== null && (holder.isOver || waiter.sent.name === "load")) at.push(waiter.sent.name);
            if (link !== holder) return false;
            Object.assign(holder, { isOver: true, held: null, inTransaction: false });
            links.splice(links.indexOf(holder), 1);
            unlocked?.();
            return true;
          },
          answered: () => true,
          between: async () => {},
          isBlocked: async () => waiter.sent?.name === "lock" && !holder.isOver,
        },
        5000,
      );
      const actor: Actor = {
        name: "all",
        relay: { links, refuses: false, port: 0, cutAll() {}, close: async () => {} },
        expects: () => false,
      };
      scheduler.actors.push(actor);
      for (const link of links) link.events = scheduler.eventsOf(() => actor);
      await scheduler.play(new Random(seed));
      expect(at, `seed ${seed}`).to.deep.equal([]);
      expect([waiter.held, waiter.sent, other.held], `seed ${seed}`).to.deep.equal([null, null, null]);
    }
  });
});
