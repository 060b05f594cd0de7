import { expect } from "chai";
import { ConcurrencyLimiter } from "../../src/api/concurrency-limiter.ts";
import { createHttpServer } from "../../src/api/server.ts";
import { createEvents } from "../../src/log/events.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { lazyPages, type Pages } from "../../src/web/lazy-pages.ts";

describe("pages built on demand", () => {
  const hello: Pages["middleware"] = (_req, res) => void res.end("hello");

  /** Serves pages that `make` makes. `statuses` asks for so many pages at once. */
  const serve = async (make: () => Promise<Pages>) => {
    const events = createEvents("silent");
    const pages = lazyPages(events, make);
    const parts = { events, clock: systemClock, ids: systemIds(), concurrency: new ConcurrencyLimiter() };
    const server = createHttpServer({ ...parts, pages: pages.middleware, apiHandler: (_req, _res, next) => next() });
    const port = await server.listen("127.0.0.1", 0);
    const ask = async () => (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } })).status;
    return {
      events,
      pages,
      statuses: (count: number) => Promise.all(Array.from({ length: count }, ask)),
      close: () => server.close({ drainMs: 0, interruptExports: () => undefined }),
    };
  };

  it("are built once for concurrent requests, and closed with the server", async () => {
    let made = 0;
    let closed = 0;
    const close = async () => {
      closed += 1;
    };
    const world = await serve(async () => {
      made += 1;
      return { middleware: hello, close };
    });
    try {
      expect(made).to.equal(0);
      expect(await world.statuses(5)).to.deep.equal([200, 200, 200, 200, 200]);
      expect(await world.statuses(1)).to.deep.equal([200]);
      await world.pages.close();
      expect([made, closed]).to.deep.equal([1, 1]);
    } finally {
      await world.close();
    }
  });

  it("return a logged 503 on failure, and are rebuilt next time", async () => {
    let tries = 0;
    const world = await serve(async () => {
      tries += 1;
      if (tries === 1) throw new Error("a file of the program is gone");
      return { middleware: hello, close: async () => undefined };
    });
    try {
      expect(await world.statuses(1)).to.deep.equal([503]);
      expect(world.events.counters.get("internal_errors")).to.equal(1);
      expect(await world.statuses(1)).to.deep.equal([200]);
    } finally {
      await world.close();
    }
  });

  it("are not built at the end if no request needed them", async () => {
    let made = 0;
    const world = await serve(async () => {
      made += 1;
      return { middleware: hello, close: async () => undefined };
    });
    await world.pages.close();
    await world.close();
    expect(made).to.equal(0);
  });
});
