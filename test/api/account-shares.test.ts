import { connect, type Socket } from "node:net";
import { expect } from "chai";
import { accounts, apiKeys } from "../../db/schema/access.ts";
import { composeKey, hashKey } from "../../src/access/credentials.ts";
import { openWriter } from "../../src/store/database.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { bySize, itLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { smallTable } from "./small-table.ts";
import { openWorld, type World, worldAt } from "./world.ts";

/** More than a hundred, so that one refusal is less than 1 %. */
const calmRequests = 120;
/** Requests for which the test of one account waits. */
const fewRequests = bySize({ short: 8, long: 40 });

describe("fair shares of accounts", () => {
  let world: World;
  let callers: Caller[];
  beforeEach(async () => {
    callers = [];
    world = await openWorld(smallTable(), { inFlightMax: 16 });
  });
  afterEach(async () => {
    for (const caller of callers) caller.stop();
    await world.close();
  });

  /** A key of a new account. */
  function newKey(name: string): string {
    const key = composeKey("project", name.padEnd(30, "x"));
    const database = openWriter(world.path, 5000);
    database
      .insert(accounts)
      .values({ accountId: `acct_${name}`, name, plan: "quant", planEndsAt: null, createdAt: worldAt })
      .run();
    database
      .insert(apiKeys)
      .values({
        keyId: `key_${name}`,
        accountId: `acct_${name}`,
        kind: "project",
        name,
        displayPrefix: key.slice(0, 18),
        lastFour: key.slice(-4),
        secretHash: hashKey(key),
        scopes: "market:read",
        createdAt: worldAt,
        expiresAt: worldAt + dayMs,
      })
      .run();
    database.$client.close();
    return key;
  }

  function call(key: string, atOnce: number): Caller {
    const caller = new Caller(world.port, key, atOnce);
    callers.push(caller);
    return caller;
  }

  const sum = (some: readonly Caller[], status: number) =>
    some.reduce((all, caller) => all + (caller.counts.get(status) ?? 0), 0);

  // The tests of shares and fairness test the sharing of slots without a server.
  itLong("refuses under 1 % of a calm account's requests while 20 flood", async function () {
    this.timeout(180_000);
    const floods: Caller[] = [];
    for (let account = 0; account < 20; account += 1) {
      const key = newKey(`flood${account}`);
      for (let connection = 0; connection < 5; connection += 1) floods.push(call(key, 1));
    }
    const calm = call(newKey("calm"), 1);
    await until("the calm account has its answers", () => calm.answers >= calmRequests, 50_000);
    for (const caller of callers) caller.stop();
    expect(sum([calm], 503)).to.be.lessThan(calmRequests / 100);
    expect(sum(floods, 200)).to.be.greaterThan(0);
    expect(sum(floods, 503)).to.be.greaterThan(calmRequests);
  });

  it("alternates between an account's burst and another account's single requests", async function () {
    this.timeout(180_000);
    const key = newKey("greedy");
    const greedy = Array.from({ length: 6 }, () => call(key, 60));
    const calm = call(newKey("calm"), 1);
    await until("the calm account has its answers", () => calm.answers >= fewRequests, 50_000);
    for (const caller of callers) caller.stop();
    expect(sum([calm], 503)).to.equal(0);
    expect(sum(greedy, 200)).to.be.greaterThan(0);
  });
});

/** A connection that sends a new request after each response of any status, with `atOnce` requests in flight. */
class Caller {
  readonly counts = new Map<number, number>();
  answers = 0;
  readonly #socket: Socket;
  #isStopped = false;

  constructor(port: number, key: string, atOnce: number) {
    const request = `GET /v1/items/5 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    this.#socket = connect(port, "127.0.0.1", () => this.#socket.write(request.repeat(atOnce)));
    this.#socket.on("error", () => undefined);
    let text = "";
    this.#socket.setEncoding("latin1").on("data", (chunk: string) => {
      if (this.#isStopped) return;
      text += chunk;
      for (let answer = firstAnswer(text); answer !== null; answer = firstAnswer(text)) {
        text = text.slice(answer.length);
        this.answers += 1;
        this.counts.set(answer.status, (this.counts.get(answer.status) ?? 0) + 1);
        this.#socket.write(request);
      }
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#socket.destroy();
  }
}

/** The first complete response in a text with its length, or null if it is not complete yet. */
function firstAnswer(text: string): { status: number; length: number } | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const length = headEnd + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1]);
  return text.length < length ? null : { status: Number(text.slice(9, 12)), length };
}
