import { execFile } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { fencesOf, guideFile, readGuides, repository } from "../../support/guides.ts";
import { needTool } from "../../support/skip.ts";
import { useWorld } from "../../support/world.ts";

describe("guide to strategies", () => {
  const world = useWorld();

  it("has a backtest that looks ahead only without `known_at`", async function () {
    needTool(this, "python3", "--version");
    this.timeout(20_000);
    const guide = readGuides().find(({ path }) => path.endsWith("/strategies.md"))?.text ?? "";
    const [, words = ""] = /python3 backtest\.py (.+)/.exec(guide) ?? [];
    const [shown = ""] = fencesOf(guide, "text");
    writeFileSync(join(world.folder, "backtest.py"), guideFile("backtest.py"));
    copyFileSync(join(repository, "generated/client/itemtape.py"), join(world.folder, "itemtape.py"));
    const { accountId, secret } = world.account("builder");
    const env = { ...process.env, ITEMTAPE_URL: world.base, ITEMTAPE_API_KEY: secret };
    const { stdout } = await promisify(execFile)("python3", ["backtest.py", ...words.split(" ")], {
      cwd: world.folder,
      env,
    });
    expect(stdout).to.equal(shown);
    expect(guide).to.include(`${world.used(accountId)} in all`);
  });
});
