import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { fetchSource, sourceName } from "../../../src/jobs/mirror/source/fetch-source.ts";
import { readFileSource } from "../../../src/jobs/mirror/source/file-source.ts";
import { SourceFailure } from "../../../src/jobs/mirror/source/source.ts";
import { temporaryFolder } from "../../support/files.ts";
import { limits } from "./mirror-world.ts";

describe("file as a source", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "feed.json");
    writeFileSync(path, "first");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const changes: [how: string, change: () => void][] = [
    ["is written to", () => appendFileSync(path, "more")],
    ["is removed", () => rmSync(path)],
    [
      "is replaced",
      () => {
        writeFileSync(`${path}.new`, "first");
        renameSync(`${path}.new`, path);
      },
    ],
  ];
  for (const [how, change] of changes) {
    it(`is rejected if it ${how} while it is read`, async () => {
      const { signal } = new AbortController();
      const watched = { ...limits, now: () => 0, signal, alive: change };
      const failure = await readFileSource(path, null, watched).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(SourceFailure);
      expect((failure as Error).message).to.equal("the file was replaced while it was read");
    });
  }

  it("ends a fetch with the reason of an aborted signal", async () => {
    const ending = new AbortController();
    ending.abort(new Error("the mirror ends"));
    const parts = { now: () => 0, signal: ending.signal };
    const failure = await fetchSource({ kind: "file", path }, null, limits, parts).catch((error: unknown) => error);
    expect((failure as Error).message).to.equal("the mirror ends");
  });
});

describe("sources", () => {
  it("are named without the query of their address", () => {
    expect(sourceName({ kind: "http", url: "https://example.com/feed.json?token=secret#part" })).to.equal(
      "https://example.com/feed.json",
    );
  });
});
