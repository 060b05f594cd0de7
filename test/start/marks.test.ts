import { expect } from "chai";
import { guideFolder, guidePaths, shellBlocks } from "../../scripts/guides/blocks.ts";
import { parseMarkdown } from "../../src/web/docs/markdown.ts";
import { fencesOf, repository, shellLines } from "../support/guides.ts";

describe("shell command blocks of README and guides", () => {
  const blocks = guidePaths(repository).flatMap((path) => shellBlocks(repository, path));
  const marked = blocks.filter(({ mark }) => mark !== null);

  it("are marked in at most a quarter, each with a reason", () => {
    expect(blocks.length).to.be.at.least(60);
    expect(marked.length).to.be.at.most(blocks.length / 4);
    for (const { path, line, mark } of marked) expect(mark, `${path}:${line}`).to.match(/^(needs|takes) \w/);
  });

  it("are unmarked in README, the tour and the guide to live prices", () => {
    const unmarked = ["README.md", `${guideFolder}/tour.md`, `${guideFolder}/live-prices.md`];
    expect(marked.filter(({ path }) => unmarked.includes(path))).to.deep.equal([]);
  });

  it("are parsed with their mark and shown without it", () => {
    const text = "# T\n\n```sh needs systemd\nsystemctl start x\n```\n";
    expect(fencesOf(text, "sh")).to.deep.equal(["systemctl start x\n"]);
    expect(shellLines(text)).to.deep.equal([["systemctl", "start", "x"]]);
    expect(parseMarkdown(text, (target) => target).intro.text).to.equal(
      '<pre tabindex="0"><code>systemctl start x\n</code></pre>\n',
    );
  });
});
