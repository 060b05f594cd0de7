import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openSource } from "../../src/releases/source.ts";
import { parseTrust, readNewest } from "../../src/releases/trust.ts";
import { minuteMs } from "../../src/values/time/calendar.ts";
import { Random } from "../sim/random.ts";
import { temporaryFolder } from "../support/files.ts";
import { bySize } from "../support/size.ts";
import { Signer } from "./signer.ts";
import { smallManifest } from "./small-manifest.ts";

const followers = bySize({ short: 50, long: 500 });
const rounds = 8;

/** A follower: its memory, the lineage of the release that it serves, and whether the new root has reached it. */
type Follower = { state: string; serves: string | null; isWarned: boolean };

describe("followers after the theft of the online key", function () {
  this.timeout(bySize({ short: 20_000, long: 300_000 }));

  it("keep no forged release once the new root has reached them", async () => {
    const seed = bySize({ short: 7, long: Date.now() % 1_000_000 });
    const random = new Random(seed);
    const signer = new Signer(join(temporaryFolder(), "releases"));
    await signer.init();
    await signer.sign(smallManifest(1, "honest"));
    const all = Array.from(
      { length: followers },
      (): Follower => ({
        state: join(temporaryFolder(), "market.db-trust"),
        serves: null,
        isWarned: false,
      }),
    );
    const forged = join(temporaryFolder(), "forged");
    const stolenAt = random.between(0, rounds - 5);
    const rotatedAt = stolenAt + random.between(1, 3);
    let thief = signer.key;
    const seen = { forged: 0, refused: 0 };
    for (let round = 0; round < rounds; round += 1) {
      signer.clock.at += minuteMs;
      if (round === stolenAt) {
        cpSync(signer.folder, forged, { recursive: true });
        thief = signer.key;
      }
      if (round >= stolenAt) await forge(signer, forged, thief, round, random);
      if (round === rotatedAt) await signer.rotate();
      await signer.sign(smallManifest(round + 2, "honest"));
      for (const follower of all) {
        if (random.chance(0.5)) continue;
        const source = round >= stolenAt && random.chance(0.5) ? forged : signer.folder;
        const isRefused = !(await look(follower, source, signer.trust));
        if (isRefused) seen.refused += 1;
        if (follower.serves === "forged") seen.forged += 1;
        follower.isWarned ||= hasNewRoot(follower);
        if (follower.isWarned) expect(follower.serves, `seed ${seed}, round ${round}`).to.equal("honest");
      }
    }
    for (const follower of all) {
      expect(await look(follower, signer.folder, signer.trust), `seed ${seed}`).to.equal(true);
      expect(follower.serves, `seed ${seed}`).to.equal("honest");
    }
    expect([seen.forged > 0, seen.refused > 0], `seed ${seed}`).to.deep.equal([true, true]);
  });
});

/** Signs a forged release with the stolen key, at times with versions far ahead. */
async function forge(signer: Signer, to: string, key: Signer["key"], round: number, random: Random): Promise<void> {
  const at = signer.clock.at + random.between(0, 60) * minuteMs;
  await signer.sign(smallManifest(1000 + round, "forged"), { key, at, to });
  const ahead = (signed: { version: number }) => {
    signed.version += random.between(0, 1_000_000);
  };
  if (random.chance(0.5)) signer.edit({ timestamp: ahead, snapshot: ahead, targets: ahead }, key, to);
}

/** Lets a follower look for a release. Returns false if it refused the source. */
async function look(follower: Follower, place: string, trust: string): Promise<boolean> {
  const source = openSource(place, new AbortController().signal);
  try {
    follower.serves = (await readNewest(source, parseTrust(trust), follower.state)).manifest.lineage;
    return true;
  } catch {
    return false;
  }
}

function hasNewRoot({ state }: Follower): boolean {
  try {
    return JSON.parse(readFileSync(join(state, "root.json"), "utf8")).signed.version > 1;
  } catch {
    return false;
  }
}
