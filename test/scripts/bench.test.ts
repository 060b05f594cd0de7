import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { benchRows } from "../../scripts/bench/rows.ts";
import { describeLong } from "../support/size.ts";

const script = fileURLToPath(new URL("../../scripts/bench/main.ts", import.meta.url));

describeLong("The bench", function () {
  this.timeout(600_000);

  it("the bench measures each row once", () => {
    const words = [script, "--turns", "1", "--seconds", "0.01", "--items", "200"];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect(status, stderr).to.equal(0);
    const names = stdout.split("\n").map((line) => line.split(" ")[0]);
    expect(names).to.include.members(Object.keys(benchRows));
    expect(stdout).not.to.include("NaN");
  });
});
