import { expect } from "chai";
import { runInProcess } from "../../src/worker/process.ts";

const entry = "test/worker/ending-process.ts";

describe("process for one order", function () {
  this.timeout(30_000);
  const going = new AbortController().signal;
  const run = (how: string, signal = going) =>
    runInProcess(entry, { how }, signal).catch((error: Error) => error.message);

  it("replies without the program's secrets, although a terminal interrupts it", async () => {
    process.env.ITEMTAPE_SECRET = "hidden";
    const reply = await run("reply");
    delete process.env.ITEMTAPE_SECRET;
    expect(reply).to.deep.equal({ signal: true, secret: null });
  });

  it("reports an end without a reply", async () => {
    expect(await run("exit")).to.equal("the process ended with 3");
  });

  it("ends with null if it is aborted", async () => {
    expect(await run("wait", AbortSignal.timeout(300))).to.equal(null);
    expect(await run("reply", AbortSignal.abort())).to.equal(null);
  });
});
