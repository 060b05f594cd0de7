import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { guideFolder, shellBlocks } from "../../scripts/guides/blocks.ts";
import { repository } from "../support/guides.ts";
import { itLong } from "../support/size.ts";
import { needTool } from "../support/skip.ts";
import { Clone, hostPath, shellEnvironment } from "./clone.ts";
import { playDocument, type Ring } from "./ring.ts";

describe("commands of README and guides", function () {
  // A busy machine needs several times the usual half minute.
  this.timeout(600_000);
  let ring: Ring;
  before(function () {
    for (const tool of ["bash", "curl", "git", "npm"]) needTool(this, tool);
    const clone = new Clone(true);
    const env = shellEnvironment(hostPath(), clone.folderBeside("npm-cache"));
    ring = {
      clone,
      env,
      isShort: true,
      takesFreePorts: true,
      made: new Map(),
      node: linkedNode(),
      isSupported: false,
      report: () => undefined,
    };
  });
  after(() => ring?.clone.remove());

  // The ring of `.ci/run` also plays each guide.
  for (const path of ["README.md", `${guideFolder}/live-prices.md`])
    itLong(`exit with 0 twice in ${path}`, async () => {
      const played = await playDocument(ring, path);
      expect(played.filter(({ failure }) => failure !== null)).to.deep.equal([]);
      const blocks = shellBlocks(repository, path);
      expect(played.filter(({ title }) => title.includes(": line "))).to.have.length(2 * blocks.length);
    });
});

/** The version of Node that the packages bring, or null if this system runs the host's. */
function linkedNode(): string | null {
  if (!existsSync(join(repository, "node_modules/.bin/node"))) return null;
  return Object.values(manifest().optionalDependencies)[0] ?? null;
}

function manifest(): { optionalDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
}
