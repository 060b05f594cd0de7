import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { type Plan, plans } from "../src/access/plans.ts";
import { help, parseCall } from "../src/cli/command.ts";
import { commands } from "../src/cli/main.ts";
import { settings } from "../src/config.ts";
import { adapters } from "../src/import/quotes/adapters.ts";
import { type RefusalKind, StoreRefusal } from "../src/store/refusal.ts";
import { exitCodes } from "../src/values/operator-error.ts";
import { World } from "./support/world.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${root}README.md`, "utf8");

/** What commands take beside the server's own and `--db`. */
const ownSettings: Readonly<Record<string, readonly string[]>> = {
  "accounts invite": ["db", "host", "port", "publicUrl"],
  "db demo": ["db", "host", "port", "publicUrl"],
  export: [],
  get: [],
  mcp: [],
  mirror: ["db", "logLevel", "mirrorConfig", "publishEveryMs"],
  "roi recompute": [],
};

describe("the README", () => {
  it("documents every setting as the program reads it", () => {
    const rows = Object.values(settings).map(({ flag, env, value, fallback, says }) =>
      row(
        code(flag),
        code(env),
        code(value),
        fallback === "" ? "empty" : code(String(fallback)),
        says.replaceAll("|", "\\|"),
      ),
    );
    expect(tableUnder("| flag | environment |")).to.deep.equal(rows);
  });

  it("documents every command with its operands and flags, and no other", () => {
    const rows = commands.map(({ words, operands, flags, says }) => {
      const own = Object.entries(flags).map(([name, { value }]) => code(value ? `--${name} ${value}` : `--${name}`));
      return row(code([words, ...operands].join(" ")), own.join(" "), says);
    });
    expect(tableUnder("| command | own flags |")).to.deep.equal(rows);
  });

  it("says which settings the commands take", () => {
    for (const { words, settings: taken } of commands) {
      if (["start", "serve"].includes(words)) expect(taken).to.have.members(Object.keys(settings));
      else expect(taken, words).to.deep.equal(ownSettings[words] ?? ["db"]);
    }
  });

  it("lists the exit codes of the program, and no other", () => {
    const ofTooOldNode = Number(/process\.exit\((\d+)\)/.exec(read("src/cli/itemtape.mjs"))?.[1]);
    const known = [...Object.values(exitCodes), ofTooOldNode, ...refusals.map(({ exitCode }) => exitCode)];
    expect([...meaningOfExitCode.keys()]).to.deep.equal([...new Set(known)].sort((a, b) => a - b));
  });

  it("says of every refused database file what the program says", () => {
    for (const refusal of refusals) {
      const said = /^file: (.*); /.exec(refusal.message)?.[1];
      expect(meaningOfExitCode.get(refusal.exitCode), refusal.kind).to.include(said);
    }
  });

  it("lists the plans as they are", () => {
    const rows = Object.entries(plans).map(([plan, limits]) => {
      const { requestsPerMonth, requestsPerMinute, snapshotStartsPerDay, priceCents } = limits;
      const counts = [requestsPerMonth, requestsPerMinute, snapshotStartsPerDay].map((count) =>
        count.toLocaleString("en"),
      );
      return row(plan as Plan, ...counts, priceCents?.toLocaleString("en") ?? "by agreement");
    });
    expect(tableUnder("| plan | requests per UTC month |")).to.deep.equal(rows);
  });

  it("lists the operations of the contract", () => {
    const rows = read("generated/operations.txt").trimEnd().split("\n");
    const expected = rows.map((line) => {
      const [id, method, path, , plan, units] = line.split(/\s+/);
      return row(code(id as string), code(`${method} ${path}`), plan as string, units as string);
    });
    expect(tableUnder("| operation | request |")).to.deep.equal(expected);
  });

  it("shows only command lines that the program takes", () => {
    const shown = shellLines().filter(([program, name]) => program === "npx" && name === "itemtape");
    expect(shown).to.not.be.empty;
    for (const [, , ...words] of [...shown, ...inlineCommands()]) takes(words);
  });

  it("names only scripts, files, folders and sections that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    for (const [, run, name] of readme.matchAll(/npm (run )?(?:--silent )?([a-z:]+)/g)) {
      if (run !== undefined || name === "start" || name === "test")
        expect(scripts, name).to.have.property(name as string);
    }
    const links = Array.from(readme.matchAll(/\]\((?!https?:)([^)]+)\)/g), ([, target]) => target as string);
    for (const link of links.filter((target) => !target.startsWith("#")))
      expect(existsSync(root + link), link).to.be.true;
    const anchors = Array.from(readme.matchAll(/^## (.+)$/gm), ([, title]) => `#${anchorOf(title as string)}`);
    expect(anchors).to.include.members(links.filter((target) => target.startsWith("#")));
    const made = ["db/itemtape.db", "db/market.db", "db/mirror.json"];
    for (const [path] of readme.matchAll(/(?<=[`\s])(?:src|test|db|scripts|generated|\.ci)\/[\w./-]*[\w]/g)) {
      if (!made.includes(path)) expect(existsSync(root + path), path).to.be.true;
    }
  });

  it("shows a canonical feed that is read without a refusal", () => {
    const text = fencesUnder("## Import real data", "ndjson")[0] as string;
    const at = Date.UTC(2026, 0, 15, 12);
    const { observations, refusals: refused } = adapters.canonical.read({ name: "feed", bytes: Buffer.from(text) }, at);
    expect({ quotes: observations.length, refused: refused.list() }).to.deep.equal({ quotes: 3, refused: [] });
  });
});

describe("the README's tour", () => {
  let world: World;
  before(async function () {
    this.timeout(60_000);
    world = await World.start();
  });
  after(() => world.stop());

  it("shows the answers of the demo world, shortened", async () => {
    const steps = section("## A tour").matchAll(/```sh\n(curl .*)\n```\n\n```(?:nd)?json\n([\s\S]*?)```/g);
    let count = 0;
    for (const [, command, shown] of steps) {
      const text = await ask(world, command as string);
      const lines = (command as string).endsWith("| tail -n 2");
      const answers = lines ? text.trimEnd().split("\n").slice(-2) : [text];
      const expected = lines ? (shown as string).trimEnd().split("\n") : [shown as string];
      for (const [index, part] of expected.entries()) {
        expectShortened(JSON.parse(part), JSON.parse(answers[index] as string), `${command}: $`);
      }
      count += 1;
    }
    expect(count).to.equal(11);
  });
});

const refusalKinds: Readonly<Record<RefusalKind, true>> = {
  exists: true,
  missing: true,
  empty: true,
  foreign: true,
  corrupt: true,
  newer: true,
  older: true,
  readable_by_others: true,
  unwritable: true,
  in_use: true,
};
const refusals = Object.keys(refusalKinds).map((kind) => new StoreRefusal(kind as RefusalKind, "file"));

const meaningOfExitCode = new Map(
  tableUnder("| exit code | meaning |").map((line) => {
    const [, exitCode, meaning] = line.split("|");
    return [Number(exitCode), (meaning as string).trim()] as const;
  }),
);

function read(path: string): string {
  return readFileSync(root + path, "utf8");
}

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

/** A row as the README writes it; an empty cell is one space. */
function row(...cells: string[]): string {
  return `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
}

/** The rows of the table whose header line begins with `header`. */
function tableUnder(header: string): string[] {
  const lines = readme.split("\n");
  const start = lines.findIndex((line) => line.startsWith(header));
  expect(start, header).to.be.at.least(0);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start + 2, end);
}

function section(title: string): string {
  const start = readme.indexOf(`${title}\n`);
  expect(start, title).to.be.at.least(0);
  const end = readme.indexOf("\n## ", start + title.length);
  return readme.slice(start, end === -1 ? undefined : end);
}

function fencesUnder(title: string, language: string): string[] {
  return Array.from(
    section(title).matchAll(new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``, "g")),
    ([, text]) => text as string,
  );
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

/** The words of a shell line; quotes may stand around a whole word. */
function wordsOf(line: string): string[] {
  return Array.from(
    line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

function shellLines(): string[][] {
  return Array.from(readme.matchAll(/```sh\n([\s\S]*?)```/g), ([, text]) => (text as string).trim().split("\n"))
    .flat()
    .map(wordsOf);
}

/** Commands named in running text, as far as they are meant to be typed. */
function inlineCommands(): string[][] {
  const typed = readme.matchAll(/`npx (itemtape [^`…]+)`/g);
  return Array.from(typed, ([, line]) => ["npx", ...wordsOf(line as string)]);
}

function takes(words: readonly string[]): void {
  const command = commands.find((candidate) =>
    candidate.words.split(" ").every((word, index) => word === words[index]),
  );
  if (command === undefined) throw new Error(`the README shows \`itemtape ${words.join(" ")}\`, which is no command`);
  const out = { line: () => undefined, note: () => undefined, isTerminal: false };
  expect(() => parseCall(command, words.slice(command.words.split(" ").length), {}, out), help(command)).to.not.throw();
}

/** Does what a curl line of the tour does. */
async function ask(world: World, line: string): Promise<string> {
  const words = wordsOf(line.replace(/ \| tail -n 2$/, ""));
  const fields = new URLSearchParams();
  const headers: Record<string, string> = {};
  let [method, url, body]: [string, string, string | undefined] = ["GET", "", undefined];
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] as string;
    if (word === "-G") continue;
    if (!word.startsWith("-")) {
      url = word.replace("http://127.0.0.1:8080", world.base);
      continue;
    }
    index += 1;
    const value = words[index] as string;
    if (word === "-X") method = value;
    else if (word === "-H") headers[value.split(": ")[0] as string] = value.split(": ")[1] as string;
    else if (words.includes("-G")) fields.append(...(value.split(/=(.*)/s).slice(0, 2) as [string, string]));
    else if (word === "-d") body = value;
    else throw new Error(`${word}: a flag that the tour's test does not know`);
  }
  const key = headers.Authorization?.endsWith("$FREE") ? world.keys.free : world.keys.builder;
  if (headers.Authorization !== undefined) headers.Authorization = `Bearer ${key}`;
  const query = fields.size === 0 ? "" : `?${fields}`;
  const answer = await fetch(url + query, { method, headers, ...(body === undefined ? {} : { body }) });
  return answer.text();
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Every value shown is the one answered; of instants, dates and request ids only the form is compared. */
function expectShortened(shown: unknown, answered: unknown, at: string): void {
  if (Array.isArray(shown)) {
    expect(answered, at).to.be.an("array");
    shown.forEach((value, index) => void expectShortened(value, (answered as unknown[])[index], `${at}[${index}]`));
  } else if (typeof shown === "object" && shown !== null) {
    expect(answered, at).to.be.an("object");
    for (const [key, value] of Object.entries(shown)) {
      if (key === "request_id") expect((answered as { request_id: string }).request_id, at).to.match(/^req_[0-9a-z]+$/);
      else expectShortened(value, (answered as Record<string, unknown>)[key], `${at}.${key}`);
    }
  } else if (typeof shown === "string" && instant.test(shown)) expect(answered, at).to.match(instant);
  else expect(dateless(answered), at).to.equal(dateless(shown));
}

function dateless(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll(/\d{4}-\d\d-\d\d/g, "<date>") : value;
}
