import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { guideFolder, guidePaths, shellBlocks } from "../../scripts/guides/blocks.ts";
import { parseMarkdown } from "../../src/web/docs/markdown.ts";
import { fencesOf, repository, shellLines } from "../support/guides.ts";
import { needTool } from "../support/skip.ts";
import { Clone, hostPath, shellEnvironment } from "./clone.ts";
import { playTwice, type Ring } from "./ring.ts";

describe("The program as a person starts it", function () {
  // A busy machine takes several times the usual half minute.
  this.timeout(600_000);
  let ring: Ring;
  before(function () {
    for (const tool of ["bash", "curl", "git", "npm"]) needTool(this, tool);
    const clone = new Clone(true);
    const env = shellEnvironment(hostPath(), clone.folderBeside("npm-cache"));
    ring = { clone, env, isShort: true, node: linkedNode(), isSupported: false, report: () => undefined };
  });
  after(() => ring?.clone.remove());

  for (const path of ["README.md", `${guideFolder}/live-prices.md`])
    it(`every command of ${path} ends with 0, twice`, async () => {
      const played = await playTwice(ring, path);
      expect(played.filter(({ failure }) => failure !== null)).to.deep.equal([]);
      const blocks = shellBlocks(repository, path);
      expect(played.filter(({ title }) => title.includes(": line "))).to.have.length(2 * blocks.length);
    });
});

describe("The blocks of shell commands in README and guides", () => {
  const blocks = guidePaths(repository).flatMap((path) => shellBlocks(repository, path));
  const marked = blocks.filter(({ mark }) => mark !== null);

  it("at most a quarter of the blocks has a mark, and each mark says why", () => {
    expect(blocks.length).to.be.at.least(60);
    expect(marked.length).to.be.at.most(blocks.length / 4);
    for (const { path, line, mark } of marked) expect(mark, `${path}:${line}`).to.match(/^(needs|takes) \w/);
  });

  it("README, the tour and the guide to live prices have no marked block", () => {
    const unmarked = ["README.md", `${guideFolder}/tour.md`, `${guideFolder}/live-prices.md`];
    expect(marked.filter(({ path }) => unmarked.includes(path))).to.deep.equal([]);
  });

  it("a marked block is found with the others, and its page shows the commands alone", () => {
    const text = "# T\n\n```sh needs systemd\nsystemctl start x\n```\n";
    expect(fencesOf(text, "sh")).to.deep.equal(["systemctl start x\n"]);
    expect(shellLines(text)).to.deep.equal([["systemctl", "start", "x"]]);
    expect(parseMarkdown(text, (target) => target).intro.text).to.equal(
      '<pre tabindex="0"><code>systemctl start x\n</code></pre>\n',
    );
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
