import { expect } from "chai";
import { codingOf } from "../../src/api/representation.ts";
import { collectGarbage } from "../support/garbage.ts";
import { bySize, itLong } from "../support/size.ts";

const strangers = bySize({ short: 15_000, long: 30_000 });

describe("content coding", () => {
  it("follows Accept-Encoding as in RFC 9110, preferring gzip to identity on ties", () => {
    const cases: [string | undefined, string][] = [
      [undefined, "identity"],
      ["", "identity"],
      // The examples of RFC 9110, 12.5.3.
      ["compress, gzip", "gzip"],
      ["*", "gzip"],
      ["compress;q=0.5, gzip;q=1.0", "gzip"],
      ["gzip;q=1.0, identity; q=0.5, *;q=0", "gzip"],
      // Real Accept-Encoding headers of clients.
      ["gzip, deflate, br, zstd", "gzip"],
      ["gzip, deflate, br", "gzip"],
      ["br, gzip, deflate", "gzip"],
      ["deflate, gzip", "gzip"],
      ["identity", "identity"],
      // Names without case, the old name, white space.
      ["GZip", "gzip"],
      ["x-gzip", "gzip"],
      ["X-GZIP;q=0.2", "gzip"],
      ["max-gzip", "identity"],
      ["gzip ;\tq=0.3", "gzip"],
      [",, gzip,,", "gzip"],
      // Weights.
      ["gzip;q=0", "identity"],
      ["gzip;Q=0", "identity"],
      ["gzip;q=0.000, *", "identity"],
      ["gzip;q=0.001", "gzip"],
      ["*;q=0", "identity"],
      ["*;q=0.5, identity", "identity"],
      ["identity;q=0.5, gzip;q=0.4", "identity"],
      ["identity;q=0.5, gzip;q=0.6", "gzip"],
      ["identity;q=1, gzip;q=1", "gzip"],
      ["br;q=1, *;q=0.1", "gzip"],
      // Nothing that is offered is acceptable: an answer as it is serves better than a refusal.
      ["identity;q=0", "identity"],
      ["identity;q=0, *;q=0", "identity"],
      ["br, identity;q=0", "identity"],
      ["identity;q=0, gzip;q=0", "identity"],
      ["identity;q=0, *", "gzip"],
      // No coding at all, or too long to be read.
      ["br", "identity"],
      ["gzip2", "identity"],
      [";;;", "identity"],
      ["gzip;q=none", "identity"],
      ["*/*", "identity"],
      [`${"a".repeat(1000)}, gzip`, "identity"],
    ];
    for (const [header, coding] of cases) expect(codingOf(header), String(header)).to.equal(coding);
  });

  itLong("caches few headers, however many clients invent", () => {
    const heldMb = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed / 2 ** 20;
    };
    const before = heldMb();
    const codings = new Set<string>();
    for (let index = 0; index < strangers; index += 1)
      codings.add(codingOf(`gzip;q=0.5, ${String(index).padStart(900, "x")}`));
    expect([...codings]).to.deep.equal(["gzip"]);
    expect(heldMb() - before, `of the ${Math.round((strangers * 900) / 1e6)} MB that came`).to.be.below(
      bySize({ short: 4, long: 8 }),
    );
  });
});
