import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { ServerChild } from "../faults/child.ts";
import { FaultFile } from "../faults/fault-file.ts";
import { runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { fencesOf, guideFolder, repository, shellLines } from "../support/guides.ts";
import { freePort, needPostgres, type SharedPostgres, sharedPostgres } from "../support/postgres.ts";
import { describeLong } from "../support/size.ts";
import { needTool } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { FrontProxy } from "./proxy.ts";

/** Units of the plan in a month. */
const allowance = 1_000_000;

describeLong("the commands of the guide from one machine to many", function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  const file = new FaultFile();
  const person = file.person("quant");
  /** A person with an almost used-up month. */
  const spender = file.person("quant");
  const nodes: ServerChild[] = [];
  let server: SharedPostgres;
  let url: string;
  let proxy: FrontProxy;

  before(async function () {
    needPostgres(this);
    needTool(this, "nginx", "-v");
    server = await sharedPostgres();
    url = await server.database(false);
  });
  after(async () => {
    await proxy?.stop();
    for (const node of nodes) await node.stop();
    file.remove();
  });

  const guide = (name: string) => readFileSync(join(repository, guideFolder, `${name}.md`), "utf8");

  /** Returns the words of the guide's command with this beginning. Replaces its addresses by the local ones. */
  function typed(name: string, beginning: string, replaced: Readonly<Record<string, string>>): string[] {
    const line = shellLines(guide(name)).find((words) => words.join(" ").startsWith(`npx itemtape ${beginning}`));
    if (line === undefined) throw new Error(`${name}.md has no command ${beginning}`);
    const known = { "db/itemtape.db": file.path, "postgresql://itemtape@127.0.0.1/itemtape": url, ...replaced };
    return line.slice(2).map((word) => (known as Record<string, string>)[word] ?? word);
  }

  async function run(words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runCli(words, { env: { ITEMTAPE_PRIVATE_DB: url }, cwd: folder });
    expect(code, `${words.join(" ")}: ${stderr}`).to.equal(0);
    return stdout;
  }

  const ask = (base: string, path: string, key = person.secret) =>
    fetch(`${base}/v1/${path}`, { headers: { Authorization: `Bearer ${key}` } });
  const used = async ({ accountId } = person) => {
    const text = `SELECT coalesce(sum(used), 0)::int AS used FROM itemtape.usage_months WHERE account_id = '${accountId}'`;
    return (await server.query(url, text)).rows[0].used as number;
  };

  it("sets up a shared database, a release, two nodes and nginx", async () => {
    await run(typed("nodes", "private import", {}));
    await run(typed("nodes", "private check", {}));
    const trust = /root:\d+:\w+/.exec(await run(typed("releases", "release root init", {})))?.[0] ?? "";
    await run(typed("releases", "release seal", { "db/market.db": file.path }));
    for (const name of ["one", "two"]) {
      const words = typed("nodes", "serve --follow", {
        "https://data.example.com/releases/": join(folder, "releases"),
        [`root:1:${"0".repeat(64)}`]: trust,
        "db/market.db": join(folder, `${name}.db`),
      });
      const port = await freePort();
      const own = ["--port", String(port), "--trusted-proxies", "127.0.0.1"];
      const program = [join(repository, "src/cli/itemtape.mjs"), ...words, ...own];
      nodes.push(await ServerChild.start("", { program }));
    }
    proxy = await FrontProxy.start(nodes.map(({ port }) => `127.0.0.1:${port}`));
    for (const base of [proxy.base, ...nodes.map((node) => node.base)])
      expect((await ask(base, "items?limit=1")).status).to.equal(200);
  });

  it("serves sealed imports from both nodes", async () => {
    const feed = join(folder, "feed.ndjson");
    const feedsOf = async (base: string) => {
      const { data } = (await (await fetch(`${base}/v1/status`)).json()) as { data: { feeds: unknown } };
      return JSON.stringify(data.feeds);
    };
    const before = await feedsOf(nodes[0]!.base);
    writeFileSync(feed, fencesOf(guide("data-in"), "ndjson")[0] ?? "");
    await run(["import", "quotes", feed, "--adapter", "canonical", "--db", file.path]);
    await run(typed("releases", "release seal", { "db/market.db": file.path }));
    for (const { base } of nodes) {
      await until("the new release is served", async () => (await feedsOf(base)) !== before);
      const answer = await ask(base, "markets/generations/current");
      expect(((await answer.json()) as { data: { generation: string } }).data.generation).to.equal("g6");
    }
  });

  it("spends exactly the last 10 units on 40 parallel requests", async () => {
    const one = () => ask(proxy.base, "items?limit=1", spender.secret);
    expect((await one()).status).to.equal(200);
    const left = `UPDATE itemtape.usage_months SET used = ${allowance - 10} WHERE account_id = '${spender.accountId}'`;
    await server.query(url, left);
    const statuses = (await Promise.all(Array.from({ length: 40 }, one))).map(({ status }) => status).sort();
    const spent = await used(spender);
    expect([...statuses, spent]).to.deep.equal([...Array(10).fill(200), ...Array(30).fill(429), allowance]);
  });

  it("keeps answered charges and nginx's clients when a node is killed", async () => {
    const before = await used();
    let [answered, isOver] = [0, false];
    const reader = async () => {
      while (!isOver) {
        expect((await ask(proxy.base, "items?limit=1")).status).to.equal(200);
        answered += 1;
      }
    };
    const readers = Promise.all([reader(), reader(), reader(), reader()]);
    await until("there is load", () => answered > 20);
    nodes[0]!.signal("SIGKILL");
    const atKill = answered;
    await until("the other one answers", () => answered > atKill + 20);
    isOver = true;
    await readers;
    expect((await used()) - before).to.be.within(answered, answered + 4);
  });

  it("rejects a revoked key from the next request on", async () => {
    await run(["keys", "revoke", person.keyId, "--db", file.path]);
    for (const base of [proxy.base, nodes[1]!.base]) expect((await ask(base, "items?limit=1")).status).to.equal(401);
  });
});
