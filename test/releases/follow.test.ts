import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { chunkName, manifestName, ReleaseFolder, timestampName } from "../../src/releases/folder.ts";
import { readManifest } from "../../src/releases/manifest.ts";
import { namedManifest } from "../../src/releases/metadata.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { expiredNotice } from "../../src/web/expired-notice.ts";
import { lengthenExport, startExport } from "../api/exports.ts";
import { hasPostgres, type SharedPostgres, sharedPostgres } from "../support/postgres.ts";
import { bySize, itLong } from "../support/size.ts";
import { skipForWant } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { FollowingNode, Publisher } from "./followed.ts";
import { damagePage, isWhole } from "./release-world.ts";

/** Pause between two reads of a reader. In the short run readers leave processor time for releases. */
const readEveryMs = bySize({ short: 10, long: 0 });

describe("follower node", function () {
  this.timeout(120_000);
  let server: SharedPostgres;
  let publisher: Publisher;
  let node: FollowingNode;

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    server = await sharedPostgres();
    publisher = new Publisher(await server.database(false));
    await publisher.begin();
    node = new FollowingNode(publisher);
    await node.start();
  });
  after(async () => {
    await node?.stop();
    await publisher?.world.stop();
  });

  const key = () => publisher.quant;
  const status = async (): Promise<{ market_release: { state: string } }> =>
    (await node.client.call("getStatus", {})).json.data;
  const latest = () => {
    const sha256 = namedManifest(new ReleaseFolder(publisher.folder))!;
    return readManifest(readFileSync(join(publisher.folder, manifestName(sha256))), "the newest", sha256);
  };

  it("starts with the newest release without an existing file", async () => {
    expect(node.status).to.include({ number: 1, failure: null, isStale: false });
    expect(await node.generation()).to.equal(latest().manifest.generation?.generation);
    expect(node.files()).to.deep.equal(["market.db"]);
    expect(await node.ops("/ready")).to.deep.equal([200, "ready\n"]);
    const { number, generation, sealed_at } = latest().manifest;
    const { checkedAt } = node.status;
    const released = { number, generation: generation?.generation, sealed_at, state: "available" };
    expect((await status()).market_release).to.deep.equal({
      ...released,
      checked_at: new Date(checkedAt!).toISOString(),
    });
  });

  it("serves each newer release without failing a running read", async () => {
    let isOver = false;
    const outcomes = new Map<string, number>();
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const reader = async (operation: string, call: object) => {
      for (; !isOver; await wait(readEveryMs)) {
        const { status, text } = await node.client.call(operation, { key: key(), ...call });
        count(status === 200 ? "200" : text);
      }
    };
    /** Reads exports without validating every record against the contract. */
    const exporter = async () => {
      const order = { method: "POST", headers: { authorization: `Bearer ${key()}` } };
      for (; !isOver; await wait(readEveryMs)) {
        const answer = await fetch(`${node.base}/v1/markets/snapshot`, order);
        const last = (await answer.text()).trimEnd().split("\n").at(-1)!;
        count(
          answer.status === 200 && !/"type":"end"|"code":"snapshot_changed"/.test(last) ? last : `${answer.status}`,
        );
      }
    };
    const readers = [
      reader("listItems", { query: { limit: 5 } }),
      reader("getMarketPrices", { path: { item_id: 1 } }),
      exporter(),
      reader("listProviders", {}),
    ];
    for (let round = 0; round < bySize({ short: 1, long: 3 }); round += 1) {
      await node.serves(await publisher.publish());
      await node.serves(await publisher.verify());
    }
    isOver = true;
    await Promise.all(readers);
    expect([...outcomes.keys()]).to.deep.equal(["200"]);
    expect(await node.generation()).to.equal(latest().manifest.generation?.generation);
  });

  it("asks for a retry when a generation is newer than its own", async () => {
    const { status, json, headers } = await node.client.call("getGeneration", {
      key: key(),
      path: { generation: "g999" },
    });
    expect([status, json.code, headers.get("retry-after")]).to.deep.equal([503, "service_unavailable", "3"]);
    const body = { generation: "g999", identity_digest: "0".repeat(64) };
    const changes = await node.client.call("streamMarketChanges", { key: key(), body });
    expect([changes.status, changes.json.code]).to.deep.equal([503, "service_unavailable"]);
  });

  itLong("wakes waiting clients for a new generation, not for every release", async () => {
    const generation = await node.generation();
    const waitSeconds = 25;
    let answers = 0;
    const ask = async (): Promise<string> => {
      const query = { after: generation, wait_seconds: waitSeconds };
      const beganMs = performance.now();
      const { json } = await node.client.call("getCurrentGeneration", { key: key(), query });
      answers += 1;
      // On a busy machine the release may arrive after the wait, so the wait is repeated.
      if (json.data.generation !== generation) return json.data.generation;
      expect(performance.now() - beganMs).to.be.greaterThan(waitSeconds * 990);
      return ask();
    };
    const waiting = ask();
    await until("it waits", () => answers > 0 || node.app.requestsWaiting() === 1);
    await node.serves(await publisher.verify());
    await publisher.publish();
    expect(await waiting).to.equal(latest().manifest.generation?.generation);
  });

  itLong("reports an old release as stale, stays ready, and recovers", async () => {
    const before = node.clock.at;
    const told = async () => [await node.ops("/ready"), await node.ops("/metrics")] as const;
    expect((await told())[1][1]).to.contain("itemtape_follow_stale 0\n");
    node.clock.at = publisher.clock.at + 26 * 3_600_000;
    await until("the log tells", () => node.events.counters.get("releases_stale") === 1);
    await until("the status tells", async () => (await status()).market_release.state === "stale");
    const [ready, metrics] = await told();
    expect(ready).to.deep.equal([200, `ready\nfollow: stale: release ${node.status.number} was sealed 26 hours ago\n`]);
    expect(metrics[1]).to.contain("itemtape_follow_stale 1\n");
    publisher.clock.at = node.clock.at;
    await node.serves(await publisher.publish());
    expect([node.status.isStale, (await told())[0]]).to.deep.equal([false, [200, "ready\n"]]);
    node.clock.at = before;
  });

  it("serves the last release while signatures are expired, and recovers", async () => {
    const before = node.clock.at;
    await node.serves(await publisher.publish());
    publisher.edit({ timestamp: expire });
    expect(await node.refuses()).to.match(/^expired: the timestamp of .* expired at /);
    const other = new FollowingNode(publisher);
    expect(await other.start().catch((error: Error) => error.message)).to.match(/^expired: /);
    node.clock.at += 5 * dayMs;
    await until("the log tells", () => node.events.counters.get("releases_expired") === 1);
    const generation = await node.generation();
    const [ready, metrics] = [await node.ops("/ready"), await node.ops("/metrics")];
    expect(ready[0]).to.equal(200);
    expect(ready[1])
      .to.match(/^follow: expired: the signatures ended at 20/m)
      .and.match(/^follow: failing: expired: /m);
    expect(metrics[1]).to.match(/^itemtape_follow_expires_seconds -\d/m);
    for (const path of pagePaths) expect(await pageOf(node, path), path).to.contain(expiredNotice);
    node.clock.at = before;
    for (const path of pagePaths) expect(await pageOf(node, path), path).to.not.contain(expiredNotice);
    publisher.clock.at += 60_000;
    await node.serves(await publisher.publish());
    await until("nothing is wrong", () => node.status.failure === null);
    expect(await node.generation()).to.not.equal(generation);
  });

  it("replaces a damaged file that the daily check finds", async () => {
    const { number } = node.status;
    damagePage(node.path);
    node.laterMs += dayMs;
    expect(await node.refuses()).to.match(/^damaged: .*market\.db: pages \d+ to \d+ differ from release \d+/);
    await until("the file is written again", () => node.status.failure === null);
    expect([node.status.number, node.status.refusals.get("damaged")]).to.deep.equal([number, 1]);
    expect(isWhole(node.path)).to.equal(true);
  });

  itLong("names an invalid release and keeps serving the previous one", async () => {
    const number = await publisher.publish();
    await node.serves(number);
    const { manifest } = latest();
    const path = join(publisher.folder, timestampName);
    const text = readFileSync(path, "utf8");
    const metadata = join(publisher.folder, "metadata");
    const kept = join(dirname(publisher.folder), "kept");
    cpSync(metadata, kept, { recursive: true });
    const later = { ...manifest, number: number + 1 };
    const signed = (change: object) => {
      publisher.clock.at += 60_000;
      return publisher.sign({ ...later, ...change });
    };
    const faults: [RegExp, () => unknown][] = [
      [/^forged: /, () => writeFileSync(path, text.replace('"expires":"20', '"expires":"21'))],
      [/^torn: /, () => writeFileSync(path, text.slice(0, -20))],
      [/^rollback: /, () => publisher.edit({ timestamp: goBack })],
      [/^expired: /, () => publisher.edit({ timestamp: expire })],
      [/^other schema: /, () => signed({ schema: manifest.schema + 1 })],
      [/^too large: /, () => signed({ bytes: 2 * 1024 ** 3 })],
      [/^malformed: /, () => signed({ chunks: [[1]] })],
    ];
    const generation = await node.generation();
    for (const [expected, spoil] of faults) {
      await spoil();
      await until(`${expected}`, () => expected.test(node.status.failure ?? ""));
      expect(await node.generation()).to.equal(generation);
      cpSync(kept, metadata, { recursive: true });
    }
    rmSync(path);
    await until("missing", () => /^missing: /.test(node.status.failure ?? ""));
    const [status, ready] = await node.ops("/ready");
    expect([status, ready]).to.deep.equal([200, `ready\nfollow: failing: ${node.status.failure}\n`]);
    const [, metrics] = await node.ops("/metrics");
    for (const reason of ["forged", "torn", "rollback", "expired", "other_schema", "too_large", "malformed", "missing"])
      expect(metrics).to.match(new RegExp(`itemtape_follow_refusals_total\\{reason="${reason}"\\} [1-9]`));
    expect(metrics).to.contain(`itemtape_follow_release ${number}\n`).and.to.contain("itemtape_follow_failing 1\n");
    cpSync(kept, metadata, { recursive: true });
    publisher.clock.at += 60_000;
    await node.serves(await publisher.publish());
    await until("nothing is wrong", () => node.status.failure === null);
  });

  itLong("keeps the previous release until a missing or torn chunk is resealed", async () => {
    const { manifest, sha256: previous } = latest();
    const [last, ...others] = manifest.chunks.toReversed();
    const [absent, bytes] = ["0".repeat(64), 10];
    const chunk = [absent, bytes, last![2], last![3]] as const;
    const metadata = join(publisher.folder, "metadata");
    const kept = join(dirname(publisher.folder), "kept-metadata");
    cpSync(metadata, kept, { recursive: true });
    publisher.clock.at += 60_000;
    await publisher.sign({ ...manifest, number: manifest.number + 1, previous, chunks: [...others, chunk] });
    await until("missing", () => /^missing: .*0000/.test(node.status.failure ?? ""));
    const path = join(publisher.folder, chunkName(absent));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "0123456789");
    await until("torn", () => /^torn: .*0000/.test(node.status.failure ?? ""));
    expect(await node.generation()).to.equal(manifest.generation?.generation);
    rmSync(dirname(path), { recursive: true });
    cpSync(kept, metadata, { recursive: true });
    publisher.clock.at += 60_000;
    await node.serves(await publisher.publish());
    await until("nothing is wrong", () => node.status.failure === null);
  });

  // Last: every release after it is as long.
  itLong("completes an export within a generation, and ends it at another", async () => {
    lengthenExport(publisher.world, 400);
    await node.serves(await publisher.seal());
    const goesOn = await startExport(node, key());
    const same = await publisher.verify();
    await node.serves(same);
    const { records, isWhole } = await goesOn.read();
    expect([isWhole, records.at(-1)?.type]).to.deep.equal([true, "end"]);
    const cut = await startExport(node, key());
    await node.serves(await publisher.publish());
    const rest = await cut.read();
    expect(rest.records.at(-1)).to.include({ type: "error", code: "snapshot_changed" });
    expect(node.files()).to.deep.equal(["market.db", "market.db-release.spare"]);
  });
});

/** Returns a page of the node. */
/** One page of each kind. */
const pagePaths = ["/", "/market", "/changes", "/docs", "/docs/guides/", "/client/", "/problems", "/items/1"].concat([
  "/dashboard/sign-in",
  "/dashboard/none",
  "/none",
]);

async function pageOf({ base }: FollowingNode, path: string): Promise<string> {
  return (await fetch(`${base}${path}`, { headers: { accept: "text/html" } })).text();
}

function expire(signed: { expires: string }): void {
  signed.expires = "2026-01-01T00:00:00Z";
}

function goBack(signed: { version: number }): void {
  signed.version -= 10;
}
