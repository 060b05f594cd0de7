import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { itLong } from "../../support/size.ts";
import { answer, type Behaviour } from "./feed-server.ts";
import { limits, MirrorWorld, steamBody } from "./mirror-world.ts";

const bodyBytes = 900 * 1024;
/** Two bodies of that size and a small one. */
const bodiesBytesMax = 2 * 1024 * 1024;
const hostiles = ["one", "two", "three", "four", "five"];

describe("memory of all feeds", () => {
  let world: MirrorWorld;
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
  });
  afterEach(() => world.stop());

  /** Long enough for all hostile bodies to be there before the first of them counts as stalled. */
  const stallMs = 4000;
  const feedOf = (name: string) =>
    world.feed({
      feed: name,
      adapter: "canonical",
      source: { kind: "http", url: world.server.url.replace("feed.json", name) },
      limits: { ...limits, stallMs },
    });

  /** Hostile sources behave as given. The good one responds after all of them have a request. */
  async function poll(hostile: Behaviour): Promise<void> {
    let good: () => void = () => {};
    let asked = 0;
    world.server.behave = (socket, head, server) => {
      if (head.startsWith("get /feed.json ")) {
        good = () => answer(200, steamBody({ "Item 0": 100 }))(socket, head, server);
      } else {
        asked += 1;
        hostile(socket, head, server);
      }
      if (asked === hostiles.length) setTimeout(() => good(), 300);
    };
    world.restart(world.feed(), ...hostiles.map(feedOf));
    await world.turnAfter(hourMs);
  }

  const reasons = () => world.take("feedFailed").map(({ facts }) => String(facts.reason));

  itLong("limits stalled bodies to the shared bound and accepts a good feed", async () => {
    world.bodiesBytesMax = bodiesBytesMax;
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${bodyBytes + 1}\r\n\r\n`;
    await poll((socket) => void socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(bodyBytes, "x")])));
    expect(Object.values(world.published().asks)).to.deep.equal([100]);
    const cut = reasons().filter((reason) => reason.includes(`larger than ${bodiesBytesMax} bytes`));
    expect(cut).to.have.length.within(3, 5);
  });

  it("counts small files by their uncompressed size", async () => {
    world.bodiesBytesMax = bodyBytes / 2;
    const bomb = gzipSync(Buffer.alloc(bodyBytes, " "));
    expect(bomb.length).to.be.lessThan(bodyBytes / 100);
    await poll(answer(200, bomb));
    expect(Object.values(world.published().asks)).to.deep.equal([100]);
    expect(reasons().every((reason) => reason.includes(`larger than ${bodyBytes / 2} bytes`))).to.equal(true);
  });
});
