import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parseCall } from "../../src/cli/command.ts";
import { operationNamed } from "../../src/cli/get/operations.ts";
import { checkParameters, readParameters } from "../../src/cli/get/parameters.ts";
import { commands, main } from "../../src/cli/main.ts";
import { wantsColour } from "../../src/cli/print.ts";
import { eventsFor } from "../../src/cli/serve.ts";
import { configFrom, defaultOf, settings } from "../../src/config/config.ts";
import { releaseName } from "../../src/config/release.ts";
import { runCli, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { needOrdinaryUser } from "../support/skip.ts";

/** A user who owns nothing here. */
const ordinaryId = 65_534;

describe("command-line usage", () => {
  const folder = temporaryFolder();
  const db = join(folder, "itemtape.db");

  const wrong: [words: string[], message: RegExp][] = [
    [["sell"], /unknown command `sell`; `npx itemtape help` lists them/],
    [["keys"], /`keys` needs one of: create, list, rotate, revoke, activity/],
    [["accounts", "create"], /NAME is missing; usage: npx itemtape accounts create NAME/],
    [["accounts", "create", "A", "B"], /unexpected `B`; usage: npx itemtape accounts create NAME/],
    [["import", "catalog"], /PATH\.\.\. is missing/],
    [["serve", "--prot", "80"], /unknown option '--prot', perhaps `--port`$/],
    [["accounts", "show", "acc_1", "--json=yes"], /--json.*does not take an argument/],
    [["serve", "--port"], /option '--port' argument is ambiguous/],
    [["serve", "--port", "80", "--port", "81"], /--port is given twice/],
    [["serve", "--port", "0x50"], /^itemtape: --port: must be a whole number from 0 to 65535/],
    [["serve", "--log-level", "loud"], /--log-level: must be one of debug, info, warn, error, silent/],
    ...[
      "data.example.com",
      "https://",
      "https://data.example.com/dashboard",
      "https://ann@data.example.com",
      "https://data.example.com?",
      "https://a:99999",
    ].map((url): [words: string[], message: RegExp] => [
      ["accounts", "invite", "acc_1", "--json", "--public-url", url],
      /--public-url: must be an http or https origin without path, such as https:\/\/data\.example\.com$/,
    ]),
    [["serve", "--db", " "], /--db: must be a non-empty path/],
    [
      ["import", "quotes", "package.json"],
      /the file does not have the shape of any format; name it with --adapter canonical or --adapter steam or --adapter buff or --adapter mapped/,
    ],
    [
      ["accounts", "plan", "acc_1", "builder", "--until", "2026-02-30"],
      /--until: must be a day such as .*`2026-02-30`/,
    ],
    [["keys", "create", "acc_1", "--days", "31", "--json"], /--days: must be 7, 30, 90, not `31`/],
    [["db", "demo"], /`npx itemtape db demo --reset`/],
    [["portfolios", "import", "pf_1", "package.json", "--remove-most"], /--remove-most needs --replace/],
    [
      ["portfolios", "import", "pf_1", "package.json", "--adapter", "csv", "--account", "ann"],
      /--account needs an inventory of Steam among the files/,
    ],
  ];
  for (const [words, message] of wrong) {
    it(`refuses and names \`${words.join(" ")}\` with exit code 64 and touches nothing`, async () => {
      const given = words.includes("--db") || words.length < 2 ? words : [...words, "--db", db];
      const { code, lines, notes } = await runHere(given);
      expect({ code, lines }, notes.join()).to.deep.equal({ code: 64, lines: [] });
      expect(notes).to.have.length(1);
      expect(notes[0])
        .to.match(message)
        .and.to.match(/^itemtape: [^\n]*$/);
      expect(existsSync(db)).to.equal(false);
    });
  }

  it("reports an unreadable file as such, not as malformed", async function () {
    needOrdinaryUser(this);
    const unread = join(folder, "unread.json");
    writeFileSync(unread, "{}");
    chmodSync(unread, 0o000);
    chmodSync(folder, 0o755);
    const imports = ["quotes", "rates", "daily", "frames"];
    // Loaded before the rights are given up.
    for (const imported of imports) await runHere(["import", imported, join(folder, "no.json"), "--db", db]);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(ordinaryId);
    try {
      for (const imported of imports) {
        const ran = await runHere(["import", imported, unread, "--db", db]);
        const notes = [`itemtape: ${unread}: cannot be read (EACCES)`];
        expect(ran, imported).to.deep.equal({ code: 66, lines: [], notes });
      }
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it("refuses and names an unknown or wrong environment variable", async () => {
    const unknown = await runHere(["db", "check"], { env: { ITEMTAPE_PROT: "80" } });
    expect(unknown.code).to.equal(64);
    expect(unknown.notes[0]).to.match(/environment variable ITEMTAPE_PROT: .*known: ITEMTAPE_DB, /);
    const wrongValue = await runHere(["serve", "--db", db], { env: { ITEMTAPE_PORT: "many" } });
    expect(wrongValue.code).to.equal(64);
    expect(wrongValue.notes[0]).to.include("environment variable ITEMTAPE_PORT: must be a whole number");
    const ofHost = await runHere(["serve", "--db", db], { env: { PORT: "many" } });
    expect(ofHost.notes[0]).to.include("environment variable PORT: must be a whole number");
    const own = await runHere(["serve", "--db", db], { env: { PORT: "many", ITEMTAPE_PORT: "0" } });
    expect(own.notes[0]).to.include("the file does not exist");
    const client = await runHere(["accounts", "list", "--db", db], { env: { PORT: "many" } });
    expect(client.notes[0]).to.include("the file does not exist");
  });

  it("reads the public address as browsers write it, or empty", () => {
    const read = (url: string) => configFrom({ publicUrl: url }, {}).publicUrl;
    const given = [
      "",
      "HTTPS://Data.Example.com/",
      "https://data.example.com:443",
      "http://10.0.0.1:8080",
      "https://[::1]:8443",
    ];
    expect(given.map(read)).to.deep.equal([
      "",
      "https://data.example.com",
      "https://data.example.com",
      "http://10.0.0.1:8080",
      "https://[::1]:8443",
    ]);
  });

  it("prefers a flag to the environment, and the environment to the default", async () => {
    const fromFlag = await runHere(["db", "check", "--db", db], { env: { ITEMTAPE_DB: join(folder, "other.db") } });
    expect(fromFlag.notes[0]).to.include(`${db}: the file does not exist`);
    const fromEnvironment = await runHere(["db", "check"], { env: { ITEMTAPE_DB: join(folder, "other.db") } });
    expect(fromEnvironment.notes[0]).to.include(join(folder, "other.db"));
  });

  it("fits help to a terminal, with aligned texts", async () => {
    for (const words of [["help"], ["help", "search"], ["keys", "-h"]]) {
      const lines: string[] = [];
      const line = (text: string) => void lines.push(...text.split("\n"));
      expect(await main(words, {}, { line, note: line, isTerminal: true, columns: 60 })).to.equal(0);
      const rows = lines.filter((text) => text.startsWith("  "));
      expect(rows.filter((text) => text.length > 60)).to.deep.equal([]);
      expect(rows.some((text) => /^ {10,}\S/.test(text))).to.equal(true);
    }
  });

  it("names every command, flag, variable and default in help", async () => {
    const overview = (await runHere(["help"])).lines.join("\n");
    for (const command of commands) {
      expect(overview).to.include(command.name).and.to.include(command.description);
      const { code, lines } = await runHere([...command.name.split(" "), "--help"]);
      const text = lines.join("\n");
      expect(code).to.equal(0);
      for (const [flag, { description }] of Object.entries(command.flags))
        expect(text).to.include(`--${flag}`).and.to.include(description);
      for (const name of command.settings) {
        const { flag, env } = settings[name];
        if (command.settingsOf !== undefined && !["db", "host", "port"].includes(name)) continue;
        const fallback = defaultOf(name) === "" ? "" : `, default ${defaultOf(name)}`;
        expect(text).to.include(flag).and.to.include(`(${env}${fallback})`);
      }
    }
  });

  it("has valid examples in the help of every command", async () => {
    const out = { line: () => undefined, note: () => undefined, isTerminal: false };
    for (const command of commands) {
      const { lines } = await runHere(["help", ...command.name.split(" ")]);
      const typed = command.example;
      if (typed !== command.name) expect(lines).to.include(`example: npx itemtape ${typed}`);
      expect(typed.startsWith(command.name), typed).to.equal(true);
      const words = typed.slice(command.name.length).match(/'[^']*'|\S+/g) ?? [];
      const { operands } = parseCall(command, words, {}, out);
      if (command.name !== "get") continue;
      const { operationId, operation } = operationNamed(operands[0]!);
      checkParameters(operation, readParameters(operationId, operation, operands.slice(1)), null);
    }
  });

  it("prints equal help for `help COMMAND`, `-h` and `--help`, and the release", async () => {
    const said = async (...words: string[]) => (await runHere(words)).lines.join("\n");
    expect(await said("-h")).to.equal(await said("help"));
    expect(await said("help", "help")).to.equal(await said("help"));
    expect(await said("help", "keys", "create")).to.equal(await said("keys", "create", "--help"));
    expect(await said("get", "getItem", "-h")).to.equal(await said("get", "getItem", "--help"));
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    for (const word of ["--version", "-v", "version"])
      expect(await said(word)).to.match(new RegExp(`^itemtape ${version.replaceAll(".", "\\.")}(\\+[0-9a-f]{7})?$`));
  });

  it("names the commit in a checkout's release, even with packed refs", () => {
    const folder = temporaryFolder();
    try {
      const commit = "0123456789abcdef0123456789abcdef01234567";
      mkdirSync(join(folder, ".git", "refs", "heads"), { recursive: true });
      writeFileSync(join(folder, "package.json"), '{"version":"1.2.3"}');
      expect(releaseName(folder)).to.equal("1.2.3");
      writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(folder, ".git", "packed-refs"), `# pack-refs\n${commit} refs/heads/main\n`);
      expect(releaseName(folder)).to.equal("1.2.3+0123456");
      writeFileSync(join(folder, ".git", "refs", "heads", "main"), `${commit.replace("0", "f")}\n`);
      expect(releaseName(folder)).to.equal("1.2.3+f123456");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("colours a terminal unless NO_COLOR is set, and never a pipe", async () => {
    expect(wantsColour({ isTTY: true }, {})).to.equal(true);
    for (const [stream, environment] of [
      [{}, {}],
      [{ isTTY: true }, { NO_COLOR: "1" }],
      [{ isTTY: true }, { TERM: "dumb" }],
    ] as const)
      expect(wantsColour(stream, environment)).to.equal(false);
    for (const hasColour of [true, false]) {
      const lines: string[] = [];
      const out = { line: (text: string) => void lines.push(text), note: () => undefined, isTerminal: true, hasColour };
      expect(await main(["help"], {}, out)).to.equal(0);
      expect(lines.join("\n").includes("\u001b[1mserve the market:\u001b[22m")).to.equal(hasColour);
      expect(lines.join("\n").includes("\u001b")).to.equal(hasColour);
    }
  });

  it("logs plain warnings on a terminal, and JSON elsewhere", async () => {
    const written = async (words: string[], env: Record<string, string>, isTerminal: boolean) => {
      const lines: string[] = [];
      const serve = commands.find(({ name }) => name === "serve")!;
      const call = parseCall(serve, words, env, { line: () => undefined, note: () => undefined, isTerminal });
      const events = await eventsFor(call, isTerminal, { write: (line) => void lines.push(line) });
      events.listening({ address: "127.0.0.1", port: 8080, release: "1.2.3" });
      events.warned({ name: "Old", message: "a\u001b[31m" });
      return lines.map((line) => line.replace(/\d\d:\d\d:\d\d|"time":"[^"]*",/, ""));
    };
    const asJson = [
      '{"level":30,"address":"127.0.0.1","port":8080,"release":"1.2.3","msg":"listening"}\n',
      '{"level":40,"err":{"type":"Old","message":"a\\u001b[31m"},"msg":"warning of the runtime"}\n',
    ];
    const asText = [' warn: warning of the runtime (err {"type":"Old","message":"a\\u001b[31m"})\n'];
    expect(await written([], {}, true)).to.deep.equal(asText);
    expect(await written([], {}, false)).to.deep.equal(asJson);
    expect(await written(["--log-level", "info"], {}, true)).to.deep.equal(asJson);
    expect(await written([], { ITEMTAPE_LOG_LEVEL: "info" }, true)).to.deep.equal(asJson);
  });

  it("writes results to standard output, refusals to standard error", async () => {
    const [help, unknown] = await Promise.all([runCli(["help"]), runCli(["sell"])]);
    expect(help).to.include({ code: 0, stderr: "" });
    expect(help.stdout).to.match(/accounts create +make a Free account/);
    expect(unknown).to.deep.include({
      code: 64,
      stdout: "",
      stderr: "itemtape: unknown command `sell`; `npx itemtape help` lists them\n",
    });
  });
});
