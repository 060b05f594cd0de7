import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { parseCall } from "../../../src/cli/command.ts";
import { commands } from "../../../src/cli/main.ts";
import { adapters } from "../../../src/import/quotes/adapters.ts";
import {
  anchorsOf,
  fencesOf,
  guideFolder,
  inlineCommands,
  linksOf,
  readGuides,
  repository,
  shellLines,
  targetOf,
} from "../../support/guides.ts";
import { expectShownAnswer, shownAnswers } from "../../support/shown-answers.ts";
import { demoAt, useWorld } from "../../support/world.ts";

const guides = readGuides();
const textOf = (name: string) => guides.find(({ path }) => path === `${guideFolder}/${name}.md`)?.text ?? "";

describe("README and guides", () => {
  it("show only command lines that the program accepts", () => {
    let count = 0;
    for (const { path, text } of guides) {
      const shown = shellLines(text).filter(([program, name]) => program === "npx" && name === "itemtape");
      for (const [, , ...words] of [...shown, ...inlineCommands(text)]) {
        takes(words, path);
        count += 1;
      }
    }
    expect(count).to.be.at.least(45);
  });

  it("name only scripts in package.json", () => {
    const { scripts } = JSON.parse(readFileSync(`${repository}package.json`, "utf8")) as { scripts: object };
    for (const { path, text } of guides) {
      for (const [, run, name = ""] of text.matchAll(/npm (run )?(?:--silent )?([a-z:]+)/g)) {
        if (run !== undefined || name === "start" || name === "test") expect(scripts, path).to.have.property(name);
      }
    }
  });

  it("name only existing files and folders", () => {
    const made = ["db/itemtape.db", "db/market.db", "db/mirror.json"];
    for (const { path, text } of guides) {
      for (const [name] of text.matchAll(/(?<=[`\s])(?:src|test|db|scripts|generated|\.ci)\/[\w./-]*[\w]/g))
        if (!made.includes(name)) expect(existsSync(repository + name), `${path}: ${name}`).to.equal(true);
    }
  });

  it("link only to existing files and headings", () => {
    for (const guide of guides) {
      for (const link of linksOf(guide.text).filter((target) => !target.startsWith("https:"))) {
        const { file, anchor } = targetOf(guide, link);
        expect(existsSync(repository + file), `${guide.path}: ${link}`).to.equal(true);
        if (anchor !== undefined)
          expect(anchorsOf(readFileSync(repository + file, "utf8")), `${guide.path}: ${link}`).to.include(anchor);
      }
    }
  });

  it("have at most 19,030 words, and pictures at most 150 KB", () => {
    const words = guides.flatMap(({ text }) => text.trim().split(/\s+/));
    expect(words.length).to.be.at.most(19_030);
    const pictures = guides.flatMap((guide) =>
      linksOf(guide.text)
        .filter((link) => link.endsWith(".png"))
        .map((link) => targetOf(guide, link).file),
    );
    expect(pictures).to.not.be.empty;
    for (const file of pictures) expect(readFileSync(repository + file).length, file).to.be.at.most(150_000);
  });

  it("are listed once each in the index, by title", () => {
    const listed = Array.from(textOf("README").matchAll(/^- \[(.+)\]\((.+)\): .+\.$/gm), ([, title, file]) => [
      file,
      title,
    ]);
    const own = guides
      .filter(({ path }) => path.startsWith(guideFolder) && !path.endsWith("README.md"))
      .map(({ path, text }) => [path.slice(guideFolder.length + 1), /^# (.+)\n/.exec(text)?.[1]]);
    expect(listed).to.have.deep.members(own);
  });
});

describe("examples of the guides", () => {
  const world = useWorld();

  it("show shortened responses of the demo world", async () => {
    const steps = guides.filter(({ path }) => path !== "README.md").flatMap(({ text }) => shownAnswers(text));
    expect(steps).to.have.length(3);
    for (const step of steps) await expectShownAnswer(world, step);
  });

  it("name only addresses that the server answers", async () => {
    const pattern = /http:\/\/127\.0\.0\.1:8080(\/[\w./-]*)/g;
    const paths = new Set(guides.flatMap(({ text }) => Array.from(text.matchAll(pattern), ([, path]) => path ?? "")));
    expect(paths.size).to.be.greaterThan(10);
    // Only a sandbox has a control API, and only a built package serves itself.
    const others = /^\/sandbox\/|^\/client\/itemtape\.tgz$/;
    for (const path of [...paths].filter((one) => !others.test(one))) {
      const { status, headers } = await fetch(world.base + path);
      // A path with another method names it.
      if (status === 404) expect(headers.get("allow"), path).to.equal("POST");
    }
  });

  it("start the program by a checkout's alias on its own Node", () => {
    const [, words = ""] = /`alias itemtape="([^"`]+)"`/.exec(textOf("terminal")) ?? [];
    const [node = "", program = ""] = words.replaceAll("$PWD/", repository).split(" ");
    expect(spawnSync(node, [program, "version"]).status, words).to.equal(0);
  });

  it("include an accepted canonical feed without ids", () => {
    const [text = ""] = fencesOf(textOf("data-in"), "ndjson");
    expect(text).to.contain("name").and.not.contain("item_id");
    const { observations, refusals } = adapters.canonical.read({ name: "feed", bytes: Buffer.from(text) }, demoAt);
    expect({ quotes: observations.length, refused: refusals.list() }).to.deep.equal({ quotes: 3, refused: [] });
  });

  it("include a mirror configuration that its schema accepts", () => {
    const guide = guides.find(({ path }) => path.endsWith("/mirror.md"));
    if (guide === undefined) throw new Error("there is no guide of the mirror");
    const link = linksOf(guide.text).find((target) => target.endsWith(".schema.json")) ?? "";
    const schema = JSON.parse(readFileSync(repository + targetOf(guide, link).file, "utf8")) as object;
    const validate = new Ajv2020({ strict: false }).compile(schema);
    const [config = ""] = fencesOf(guide.text, "json");
    expect(validate(JSON.parse(config)), JSON.stringify(validate.errors)).to.equal(true);
  });
});

function takes(typed: readonly string[], path: string): void {
  const [first, ...named] = typed;
  if (first === "help" && named.length === 0) return;
  const words = first === "help" ? named : typed;
  const command = commands.find((candidate) => candidate.name.split(" ").every((word, index) => word === words[index]));
  if (command === undefined) throw new Error(`${path} shows \`itemtape ${words.join(" ")}\`, which is no command`);
  const out = { line: () => undefined, note: () => undefined, isTerminal: false };
  const rest = words.slice(command.name.split(" ").length);
  if (first === "help") return;
  expect(() => parseCall(command, rest, {}, out), path).to.not.throw();
}
