import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { childProgram } from "../../scripts/support/child-program.ts";
import { holderMs } from "../../src/access/ledger/ledger.ts";
import { lengthenExport } from "../api/exports.ts";
import { bySize, itLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { bearer, ServerChild } from "./child.ts";
import { ExportClient } from "./export-client.ts";
import { FaultFile, type Person } from "./fault-file.ts";

const program = new URL("./short-lease-server.ts", import.meta.url);
/** Remaining time of the lease at the start of the export. */
const leftMs = 2500;
/** An export of 14 MB, or of 65 MB. */
const market = bySize({ short: { fewItems: true, offers: 600 }, long: { fewItems: false, offers: 216 } });

describe("export deadline", function () {
  this.timeout(180_000);
  let large: FaultFile;
  let person: Person;
  let file: FaultFile;
  let server: ServerChild;
  let client: ExportClient;
  let beganMs: number;

  before(() => {
    large = new FaultFile({ fewItems: market.fewItems });
    // Nothing may begin a second export here, so this one must be larger than any buffers of the system.
    lengthenExport(large, market.offers);
    person = large.person();
  });
  after(() => large.remove());
  beforeEach(async () => {
    file = new FaultFile({ from: large.path });
    const words = [...childProgram(program), file.path, String(holderMs - leftMs)];
    server = await ServerChild.start(file.path, { program: words });
    beganMs = performance.now();
    client = new ExportClient(server.port, person);
    await client.items(1);
    client.stall();
  });
  afterEach(async () => {
    client.vanish();
    await server.stop();
    file.remove();
  });

  async function nextExportWorks(): Promise<void> {
    const answer = await fetch(`${server.base}/v1/markets/snapshot`, { method: "POST", headers: bearer(person) });
    expect(answer.status).to.equal(200);
    expect((await answer.text()).trimEnd().split("\n").at(-1)).to.contain('"type":"end"');
  }

  it("cuts off a stalled reader before its lease ends", async () => {
    expect(file.liveLeases()).to.equal(1);
    await until("the place is free", () => file.liveLeases() === 0);
    expect(performance.now() - beganMs).to.be.at.least(1000);
    client.socket.resume();
    await client.over;
    expect(client.text).not.to.contain('"type":"end"');
    await nextExportWorks();
  });

  itLong("ends a slow reader's export with `snapshot_interrupted` in time", async () => {
    await wait(1550);
    client.socket.resume();
    await client.over;
    expect(client.records.at(-1)).to.include({ type: "error", code: "snapshot_interrupted" });
    await nextExportWorks();
  });

  itLong("stops a server that slept past it from reading new pages", async () => {
    server.signal("SIGSTOP");
    client.socket.resume();
    await wait(leftMs + 300);
    const sentBefore = client.text.length;
    expect(client.closed).to.equal(false);
    server.signal("SIGCONT");
    await client.over;
    const sentAfter = client.text.length - sentBefore;
    expect(client.text).not.to.contain('"type":"end"').and.not.to.contain('"type":"error"');
    expect(sentAfter).to.be.lessThan(256 * 1024);
    await nextExportWorks();
  });
});
