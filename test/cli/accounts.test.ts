import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { OwnerReads } from "../../src/access/owners/owner-reads.ts";
import { Owners } from "../../src/access/owners/owners.ts";
import { printDemo, shownDemo } from "../../src/cli/print-demo.ts";
import { openReader, openWriter } from "../../src/store/database.ts";
import { systemIds } from "../../src/values/ids.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { jsonOf, runHere } from "../support/cli.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";
import { demoFile } from "../support/kept-files.ts";
import { demoAt } from "../support/world.ts";
import { cheapCost, goodPassword } from "../web/dashboard/owner-world.ts";

describe("owner links on the command line", () => {
  const folder = temporaryFolder();
  const empty = join(folder, "empty.db");
  let path: string;
  let accountId: string;
  let count = 0;
  const here = (...words: string[]) => runHere([...words, "--db", path]);
  const invite = (...words: string[]) => jsonOf("accounts", "invite", accountId, ...words, "--db", path);

  before(() => newDatabase(empty));
  beforeEach(async () => {
    count += 1;
    path = join(folder, `file-${count}.db`);
    copyFileSync(empty, path);
    accountId = (await jsonOf("accounts", "create", "Ann", "--db", path)).account_id;
  });

  const look = (file: string, link: string, at: number) => {
    const database = openReader(file);
    try {
      return new OwnerReads(database).invite(link.split("/").at(-1) ?? "", at);
    } finally {
      database.$client.close();
    }
  };

  it("`accounts invite` prints the path and full address of a 24-hour link", async () => {
    const made = await invite("--login", "Ann@Example.com", "--host", "::1", "--port", "9000");
    expect(made).to.include({ account_id: accountId, login: "ann@example.com", url: `http://[::1]:9000${made.path}` });
    expect(made.path).to.match(/^\/dashboard\/invite\/[0-9A-Za-z]{43}$/);
    expect(Date.parse(made.expires_at) - systemClock.now()).to.be.within(0.99 * dayMs, dayMs);
    const message = { login: "ann@example.com", accountName: "Ann" };
    expect(look(path, made.url, systemClock.now())).to.deep.equal({ ...message, state: "open" });
    const next = await invite();
    expect(next.login).to.equal("ann@example.com");
    expect(look(path, made.url, systemClock.now())).to.deep.equal({ ...message, state: "expired" });
  });

  it("an owner's link leads to the public address of flag or environment", async () => {
    const words = ["--login", "ann", "--host", "::1", "--public-url", "https://Data.Example.com/"];
    const made = await invite(...words);
    expect(made.url).to.equal(`https://data.example.com${made.path}`);
    const env = { ITEMTAPE_PUBLIC_URL: "http://10.0.0.1" };
    const shown = await runHere(["accounts", "invite", accountId, "--db", path], { env, isTerminal: true });
    expect(shown.lines.join("\n")).to.match(/^link {5}http:\/\/10\.0\.0\.1\/dashboard\/invite\/[0-9A-Za-z]{43}$/m);
  });

  it("`accounts invite` names the login that works until the link is used", async () => {
    await invite("--login", "ann");
    const database = openWriter(path, 0);
    try {
      const owners = new Owners({ database, clock: systemClock, ids: systemIds(), cost: cheapCost });
      await owners.setPassword(owners.invite(accountId, null).token, goodPassword);
    } finally {
      database.$client.close();
    }
    const words = ["accounts", "invite", accountId, "--login", "anna", "--db", path];
    expect((await runHere(words, { isTerminal: true })).lines).to.include("login    anna, until the link is used ann");
    expect((await invite()).login).to.equal("ann");
  });

  it("an owner's link is created only for a terminal or --json", async () => {
    const refused = await here("accounts", "invite", accountId, "--login", "ann");
    expect(refused).to.deep.include({ code: 64, lines: [] });
    expect(refused.notes[0]).to.include("--json prints it anyway");
    const shown = await runHere(["accounts", "invite", accountId, "--login", "ann", "--db", path], {
      isTerminal: true,
    });
    expect(shown.lines.join("\n")).to.match(
      /^link {5}http:\/\/127\.0\.0\.1:8080\/dashboard\/invite\/[0-9A-Za-z]{43}$/m,
    );
    const activity = await jsonOf("keys", "activity", accountId, "--db", path);
    expect(activity.map(({ kind, detail }: Record<string, string>) => [kind, detail])).to.deep.equal([
      ["owner_changed", "invited ann"],
      ["account_created", null],
    ]);
  });

  it("`accounts invite` refuses and names unknown accounts and bad logins", async () => {
    await invite("--login", "ann");
    const other = (await jsonOf("accounts", "create", "Bob", "--db", path)).account_id;
    for (const [words, code, description] of [
      [[other], 65, `account ${other} has no owner yet; name one with --login`],
      [[other, "--login", "ANN"], 65, "the login `ann` belongs to another account"],
      [[other, "--login", "a b"], 64, "a login has 3 to 254 characters"],
      [["acc_none", "--login", "bob"], 65, "unknown account `acc_none`"],
    ] as const) {
      const ran = await here("accounts", "invite", ...words, "--json");
      expect({ code: ran.code, lines: ran.lines }).to.deep.equal({ code, lines: [] });
      expect(ran.notes.join("\n")).to.include(description).and.not.include("\n");
    }
  });

  it("a fresh demo world prints a link for its owner", () => {
    const { path: demo, keys } = demoFile();
    const lines: string[] = [];
    const out = { line: (text: string) => void lines.push(text), note: () => undefined, isTerminal: true };
    const shown = shownDemo(demo, keys);
    printDemo(out, shown, { base: "http://127.0.0.1:9000", publicBase: "https://data.example.com" });
    const link = lines.find((line) => line.includes("/dashboard/invite/"))?.trim() ?? "";
    expect(link).to.match(/^https:\/\/data\.example\.com\/dashboard\/invite\/[0-9A-Za-z]{43}$/);
    expect(lines).to.include("  curl http://127.0.0.1:9000/v1/status");
    expect(lines.join("\n")).to.match(new RegExp(`account of the Builder key.* ${shown.accountId}\\.$`, "m"));
    expect(look(demo, link, demoAt)).to.deep.equal({ login: "demo", accountName: "Demo Builder", state: "open" });
  });

  it("a demo world offers a visit only if the server is local", () => {
    const { path: demo, keys } = demoFile();
    const shown = shownDemo(demo, keys);
    const offers = (base: string, publicBase = base) => {
      const lines: string[] = [];
      const out = { line: (text: string) => void lines.push(text), note: () => undefined, isTerminal: true };
      printDemo(out, shown, { base, publicBase });
      return lines.some((line) => line.includes(`${base}/market. No key is needed`));
    };
    for (const base of ["http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost:8080"])
      expect(offers(base), base).to.equal(true);
    for (const base of ["http://0.0.0.0:8080", "http://192.168.1.7:8080", "http://localhost.example:8080"])
      expect(offers(base), base).to.equal(false);
    expect(offers("http://127.0.0.1:8080", "https://data.example.com")).to.equal(false);
  });
});
