import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { childProgram } from "../../../scripts/support/child-program.ts";
import { GroupCommitLedger } from "../../../src/access/ledger/group-commit.ts";
import { openLock } from "../../../src/store/file/lock.ts";
import { bySize } from "../../support/size.ts";
import { inThisThread, World } from "../world.ts";

const waitingWriter = new URL("./waiting-writer.ts", import.meta.url);
const turns = bySize({ short: 8, long: 200 });

describe("the ledger and other writers", function () {
  this.timeout(120_000);
  let world: World;
  beforeEach(() => {
    world = new World();
  });
  afterEach(() => world.close());

  for (const clients of [1, 8])
    for (const syncMs of [5, 20])
      it(`delays a writer by one batch of ${clients} charges, at ${syncMs} ms a sync`, async () => {
        const person = world.person("quant");
        const ledger = new GroupCommitLedger(inThisThread(world.transactions));
        // The lock is held meanwhile, as during the sync of a slow disk.
        world.failpoints.arm("admit.commit.before", () => void Atomics.wait(stillCell, 0, 0, syncMs));
        let isOver = false;
        let refused = 0;
        const client = async () => {
          while (!isOver) await ledger.charge(world.charge(person)).catch(() => (refused += 1));
        };
        const load = Array.from({ length: clients }, client);
        const words = [...childProgram(waitingWriter), world.path, String(turns)];
        const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
        const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
        isOver = true;
        await Promise.all(load);
        const counts = JSON.parse(said) as number[];
        expect(counts).to.have.length(turns);
        // The batch in progress at the start of the wait, and one more. The first wait also creates the file of turns.
        for (const count of counts.slice(1)) expect(count, said).to.be.within(0, 2 * clients);
        expect(refused).to.equal(0);
      });

  it("delays one batch and refuses none if a stopped process holds locks", () => {
    const person = world.person("quant");
    const stopped = openLock(world.path, "turn");
    stopped.exec("BEGIN EXCLUSIVE");
    const tookMs = () => {
      const beganMs = performance.now();
      expect(world.pay(person)).to.include({ kind: "charged" });
      return performance.now() - beganMs;
    };
    const [first, ...later] = Array.from({ length: 20 }, tookMs);
    expect(first).to.be.at.least(worldBusyMs);
    // A busy machine may delay some of them, but not all.
    expect(Math.min(...later)).to.be.below(worldBusyMs);
    stopped.close();
    expect(world.pay(person)).to.include({ kind: "charged" });
  });

  it("waits for a lock that another writer holds for 400 ms", async () => {
    const person = world.person("quant");
    const ledger = await GroupCommitLedger.open(world.path);
    world.database.$client.exec("BEGIN IMMEDIATE");
    const charged = ledger.charge(world.charge(person));
    await sleep(400);
    world.database.$client.exec("COMMIT");
    expect((await charged).used).to.equal(1);
    await ledger.close();
  });
});

/** Milliseconds that the writer of a world waits for the lock. */
const worldBusyMs = 50;
const stillCell = new Int32Array(new SharedArrayBuffer(4));
