import { expect } from "chai";
import { Arrivals } from "../../src/api/arrivals.ts";
import type { Exchange } from "../../src/api/exchange.ts";
import { openWriter } from "../../src/store/database.ts";
import { sendRaw } from "./raw.ts";
import { smallTable } from "./small-table.ts";
import { openWorld, type World, worldAt } from "./world.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const exchangeOf = (isGone: boolean, headers: object = {}) => ({ isGone, req: { headers } }) as Exchange;

describe("requests that come in one turn of the event loop", () => {
  describe("at a server", () => {
    let world: World;
    beforeEach(async () => {
      world = await openWorld(smallTable());
    });
    afterEach(() => world.close());

    const usage = () => `GET /v1/usage HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\n\r\n`;

    /** Has `work` done when the request of this number has come, whose instant is taken then. */
    const whenCame = (number: number, work: () => void) => {
      let came = 0;
      Object.defineProperty(world.time, "now", {
        get() {
          came += 1;
          if (came === number) work();
          return worldAt;
        },
      });
    };

    it("are judged by their keys as they are when all have come: a revocation before one of them binds it", async () => {
      const writer = openWriter(world.path, 1000);
      whenCame(3, () => writer.$client.prepare("UPDATE api_keys SET revoked_at = 1").run());
      const { answers } = await sendRaw(world.port, usage().repeat(4), { answers: 4 });
      writer.$client.close();
      expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401]);
      expect(answers.at(-1)?.body).to.contain("revoked_api_key");
    });

    it("are answered if they are refused, before what is no request behind them ends the connection", async () => {
      const nobody = "GET /v1/usage HTTP/1.1\r\nHost: a\r\n\r\n";
      const { answers, closed } = await sendRaw(world.port, `${nobody}no request\r\n\r\n`, { untilClosed: true });
      expect(answers.map(({ status }) => status)).to.deep.equal([401]);
      expect(closed).to.equal(true);
    });
  });

  it("begin together when the turn is over, in their order, and with a body at once behind those before", async () => {
    const begun: string[] = [];
    const arrivals = new Arrivals((work) => {
      begun.push("together");
      work();
      begun.push("over");
    });
    const come = (name: string, headers: object = {}) =>
      arrivals.add(exchangeOf(false, headers), () => void begun.push(name));
    come("a");
    come("b");
    expect(begun).to.deep.equal([]);
    await nextTurn();
    come("c");
    await nextTurn();
    expect(begun).to.deep.equal(["together", "a", "b", "over", "c"]);
    come("d");
    come("e, with a body", { "content-length": "2" });
    come("f");
    expect(begun.slice(5)).to.deep.equal(["d", "e, with a body"]);
    await nextTurn();
    expect(begun.slice(7)).to.deep.equal(["f"]);
  });

  it("begin each by itself when their keys cannot be read from one state, and never twice", async () => {
    const begun: string[] = [];
    let fails = (_work: () => void): void => {
      throw new Error("no transaction can begin");
    };
    const arrivals = new Arrivals((work) => fails(work));
    const comeTwice = () => {
      for (const name of ["a", "b"]) arrivals.add(exchangeOf(false), () => void begun.push(name));
    };
    comeTwice();
    arrivals.beginNow();
    expect(begun).to.deep.equal(["a", "b"]);
    comeTwice();
    fails = (work) => {
      work();
      throw new Error("no transaction can end");
    };
    expect(() => arrivals.beginNow()).to.throw("can end");
    expect(begun).to.deep.equal(["a", "b", "a", "b"]);
    await nextTurn();
  });

  it("do not begin when their client has gone meanwhile", async () => {
    const begun: string[] = [];
    const arrivals = new Arrivals((work) => work());
    for (const isGone of [true, false, true]) arrivals.add(exchangeOf(isGone), () => void begun.push(String(isGone)));
    await nextTurn();
    expect(begun).to.deep.equal(["false"]);
  });
});
