import { expect } from "chai";
import { lengthenExport } from "../api/exports.ts";
import { Random } from "../sim/random.ts";
import { bySize, itLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { bearer, jobsOff, ServerChild } from "./child.ts";
import { ExportClient, stalledExport } from "./export-client.ts";
import { FaultFile, type Person } from "./fault-file.ts";

/**
 * A tenth of the items have an export of 7 MB, all of them one of 30 MB. `unreadOffers`: for 20 MB or more, of which the system's buffers
 * between two sockets hold 4.
 */
const market = bySize({
  short: { fewItems: true, offers: 300, unreadOffers: 900, items: 250, abortedItemsMax: 250 },
  long: { fewItems: false, offers: 100, unreadOffers: 100, items: 2500, abortedItemsMax: 1500 },
});
const aborted = bySize({ short: 10, long: 50 });
/** Exports after which the memory of a new server is stable. */
const first = bySize({ short: 8, long: 40 });
const answersMeanwhile = 300;

describe("export clients that disconnect", function () {
  this.timeout(180_000);
  const random = new Random(11);
  let file: FaultFile;
  let person: Person;
  let server: ServerChild;

  before(async () => {
    file = new FaultFile({ fewItems: market.fewItems });
    lengthenExport(file, market.offers);
    person = file.person();
    server = await ServerChild.start(file.path, { flags: jobsOff });
  });
  after(async () => {
    await server.stop();
    file.remove();
  });

  /** Starts the next export. The account may have one at a time, so this shows that the slot is free. */
  async function nextExportWorks(): Promise<void> {
    await until("the place is free", () => file.liveLeases() === 0);
    const answer = await fetch(`${server.base}/v1/markets/snapshot`, { method: "POST", headers: bearer(person) });
    expect(answer.status).to.equal(200);
    const lines = (await answer.text()).split("\n").slice(0, -1);
    const end = JSON.parse(lines.at(-1)!);
    expect(end).to.include({ type: "end", items: lines.length - 2 });
  }

  async function abortAfter(records: number, how: "end" | "reset"): Promise<void> {
    const client = new ExportClient(server.port, person);
    await client.items(records);
    if (how === "reset") client.vanish();
    else client.socket.destroy();
    await client.over;
    await until("the place is free", () => file.liveLeases() === 0);
  }

  it("release their permit at once, after any number of records", async () => {
    const usedBefore = file.used(person);
    const part = (of: number) => Math.round(of * market.items);
    const reads = [
      1,
      random.between(2, part(0.06)),
      random.between(part(0.06), part(0.4)),
      random.between(part(0.4), market.items),
      0,
    ];
    for (const records of reads) await abortAfter(records, random.chance(0.5) ? "end" : "reset");
    // Each started export costs one unit. A client that disconnects at once may or may not have been admitted.
    expect(file.used(person) - usedBefore).to.be.within(reads.length - 1, reads.length);
    await nextExportWorks();
  });

  itLong("release their permit if they close only their own half", async () => {
    const client = new ExportClient(server.port, person);
    await client.items(1);
    client.socket.end();
    await client.over;
    expect(client.records.at(-1)).to.include({ type: "item" });
    await nextExportWorks();
  });

  it(`cost no memory and no descriptor after ${aborted} aborted exports`, async () => {
    // A single reading depends on the last run of the collector.
    const highestAfter = async (exports: number) => {
      let highest = 0;
      for (let count = 0; count < exports; count += 1) {
        await abortAfter(random.between(1, market.abortedItemsMax), "reset");
        highest = Math.max(highest, server.anonymousMiB());
      }
      return highest;
    };
    const before = { memory: await highestAfter(first), files: server.openFiles() };
    expect((await highestAfter(aborted)) - before.memory).to.be.lessThan(32);
    await until("descriptors are closed", () => server.openFiles() <= before.files);
    await nextExportWorks();
  });

  itLong("cost no memory while eight unread exports stall", async () => {
    lengthenExport(file, market.unreadOffers);
    const before = server.anonymousMiB();
    const clients = await Promise.all(file.people(8).map((one) => stalledExport(server.port, one, file)));
    // However busy the machine is, a server that read on would read a page or more before each of these answers.
    for (let count = 0; count < answersMeanwhile; count += 1)
      expect((await fetch(`${server.base}/v1/status`)).status).to.equal(200);
    const item = await fetch(`${server.base}/v1/items/1`, { headers: bearer(person) });
    expect(item.status).to.equal(200);
    expect(server.anonymousMiB() - before).to.be.lessThan(32);
    expect(file.liveLeases()).to.equal(8);
    const ninth = await fetch(`${server.base}/v1/markets/snapshot`, { method: "POST", headers: bearer(person) });
    expect(ninth.status).to.equal(429);
    expect(await ninth.json()).to.include({ code: "snapshot_capacity" });
    for (const client of clients) client.vanish();
    await nextExportWorks();
  });
});
