import { spawnSync } from "node:child_process";
import { expect } from "chai";

describe("The scripts of the checkout", function () {
  this.timeout(60_000);

  for (const script of ["check", "test"])
    it(`scripts/${script}.ts prints its usage where it is asked for, and refuses an unknown flag by name with exit code 2`, () => {
      const run = (...words: string[]) =>
        spawnSync(process.execPath, [`scripts/${script}.ts`, ...words], { encoding: "utf8" });
      const helped = run("--help");
      expect([helped.status, helped.stderr]).to.deep.equal([0, ""]);
      expect(helped.stdout).to.match(/^usage: npm (run|test) /);
      const refused = run("--nonsense");
      expect([refused.status, refused.stdout]).to.deep.equal([2, ""]);
      expect(refused.stderr).to.match(/^Unknown option '--nonsense'\nusage: npm /);
    });
});
