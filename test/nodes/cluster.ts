import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Accounts } from "../../src/access/accounts.ts";
import { Keys } from "../../src/access/keys.ts";
import { downloadedRelease, downloadStatePath } from "../../src/releases/fetch.ts";
import { type AccountSelection, workOnAccounts } from "../../src/store/postgres/account-work.ts";
import { withClient } from "../../src/store/postgres/connection.ts";
import type { FollowReasonName } from "../../src/values/failure/follow-reasons.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { ServerChild, tryFetch } from "../faults/child.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { freePort } from "../support/postgres.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";
import { Network } from "./network.ts";
import { PostgresPair } from "./postgres-pair.ts";
import { FrontProxy } from "./proxy.ts";
import { RingPublisher, takeRelease } from "./publisher.ts";
import { Relay } from "./relay.ts";
import type { Person } from "./traffic.ts";

/** Room for the market on the node with the small disk: two files, and a little. */
const diskBytes = 64 * 1024 * 1024;
const recoveryMsMax = 60_000;
/** A node computes all its metrics for each request. */
const figuresEveryMs = 50;
/** One text for all clocks, because V8's compile cache depends on the options of a process. */
const shift = encodeURIComponent("const now=Date.now,by=Number(process.env.CLOCK_SHIFT_MS);Date.now=()=>now()+by");

type Plan = "free" | "builder" | "quant";
type Node = {
  readonly host: string;
  readonly port: number;
  readonly opsPort: number;
  readonly file: string;
  readonly flags: readonly string[];
  readonly wrap: readonly string[];
};

/**
 * Three nodes of the program behind nginx, on PostgreSQL with a synchronous standby. They follow the releases of a publisher. The second
 * reaches PostgreSQL through relays. The third is in its own network, or also behind relays if this process may not make one.
 */
export class Cluster {
  readonly pair: PostgresPair;
  readonly network: Network | null;
  readonly publisher = new RingPublisher();
  /** The disk of the first node's market, or null if this process may not mount one. */
  readonly disk = SmallDisk.tryMount(diskBytes);
  /** Relays of the second node, and of the third if it has no network. */
  readonly relays: readonly (readonly Relay[])[];
  proxy!: FrontProxy;
  /** An account that no limit stops. */
  probe!: Person;
  readonly #nodes: Node[] = [];
  readonly #children: (ServerChild | null)[] = [];

  static async start(clocks: readonly number[]): Promise<Cluster> {
    const pair = await PostgresPair.start();
    const network = await Network.make();
    const relayed = network === null ? 2 : 1;
    const relays = await Promise.all(
      Array.from({ length: relayed }, () => Promise.all(pair.servers.map(({ port }) => Relay.to(port)))),
    );
    const cluster = new Cluster(pair, network, relays);
    try {
      await cluster.#build(clocks);
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  private constructor(pair: PostgresPair, network: Network | null, relays: readonly (readonly Relay[])[]) {
    this.pair = pair;
    this.network = network;
    this.relays = relays;
  }

  /** Address of the private database, both servers in it. */
  get url(): string {
    return addressOf(
      "127.0.0.1",
      this.pair.servers.map(({ port }) => port),
    );
  }

  get bases(): readonly string[] {
    return this.#nodes.map(({ host, port }) => `http://${host}:${port}`);
  }

  /** Starts node `index` with a clock shifted by `clockMs`. */
  async startNode(index: number, clockMs = 0): Promise<void> {
    const { host, port, file, flags, wrap } = this.#nodes[index]!;
    const clock = ["env", `NODE_OPTIONS=--import=data:text/javascript,${shift}`, `CLOCK_SHIFT_MS=${clockMs}`];
    this.#children[index] = await ServerChild.start(file, { host, port, flags, wrap: [...wrap, ...clock] });
  }

  async killNode(index: number): Promise<void> {
    await this.#children[index]!.stop();
  }

  /** Ends node `index` in good order. Returns its exit code. */
  async endNode(index: number): Promise<number | null> {
    const child = this.#children[index]!;
    child.signal("SIGTERM");
    return (await child.exited).code;
  }

  /** Resolves when every node charges again. Rejects with the output of a node that has ended. */
  async recovered(): Promise<void> {
    const headers = { authorization: `Bearer ${this.probe.secret}` };
    const charges = async (base: string, index: number) => {
      const { exit, stderr } = this.#children[index]!;
      if (exit !== null) throw new Error(`node ${index} ended with ${exit.code ?? exit.signal}: ${stderr}`);
      return (await tryFetch(`${base}/v1/items/1`, { headers, signal: AbortSignal.timeout(5000) }))?.status === 200;
    };
    for (const [index, base] of this.bases.entries())
      await until(`node ${index} charges again`, () => charges(base, index), recoveryMsMax);
  }

  /** Resolves when every node serves the release, or a newer one. */
  async serve(release: number): Promise<void> {
    for (const [index] of this.#nodes.entries()) await this.serves(index, release);
  }

  async serves(index: number, release: number): Promise<void> {
    const what = `node ${index} serves release ${release}`;
    // Reads the release from the node's file, which costs less than its metrics.
    await until(what, () => (downloadedRelease(this.#nodes[index]!.file)?.number ?? 0) >= release, recoveryMsMax);
    const number = async () => (await this.#figure(index, "itemtape_follow_release")) ?? 0;
    await until(what, async () => (await number()) >= release, recoveryMsMax);
  }

  /** Returns how often a node has refused releases for the reason, or 0 if it does not respond. */
  async refusals(index: number, reason: FollowReasonName): Promise<number> {
    return (await this.#figure(index, `itemtape_follow_refusals_total{reason="${reason}"}`)) ?? 0;
  }

  /** Resolves when a node has refused releases for the reason more than `before` times. */
  async refuses(index: number, reason: FollowReasonName, before: number): Promise<void> {
    const isRefused = async () => {
      await wait(figuresEveryMs);
      return (await this.refusals(index, reason)) > before;
    };
    await until(`node ${index} refuses a release as ${reason}`, isRefused);
  }

  /** Returns for each node how many of its batches were refused in doubt, after which it was found that they are charged. */
  chargedInDoubt(): Promise<number[]> {
    const name = 'itemtape_ledger_batches_settled_total{outcome="charged"}';
    return Promise.all(this.#nodes.map(async (_, index) => (await this.#figure(index, name)) ?? 0));
  }

  async isStale(index: number): Promise<boolean> {
    return (await this.#figure(index, "itemtape_follow_stale")) === 1;
  }

  /** Makes an account with a key for each of `plans`, all in one piece of the commands' own work. */
  people(...plans: Plan[]): Promise<Person[]> {
    return this.#work([], (accounts, keys) => peopleOf(accounts, keys, plans));
  }

  /** Makes another key of the account of `owner`, and accounts as `people` does, all in one piece of work. */
  keyAndPeople({ accountId, canExport }: Person, plans: readonly Plan[]): Promise<{ key: Person; people: Person[] }> {
    return this.#work({ accountId }, (accounts, keys) => {
      const { key, secret } = keys.create(accountId, "key", 30);
      return { key: { accountId, keyId: key.keyId, secret, canExport }, people: peopleOf(accounts, keys, plans) };
    });
  }

  /** Revokes a key. Returns whether the command reports success. */
  async revoke({ keyId }: Person): Promise<boolean> {
    return (await runHere(["keys", "revoke", keyId, "--private-db", this.url])).code === 0;
  }

  async remove(): Promise<void> {
    await this.proxy?.stop();
    for (const child of this.#children) await child?.stop();
    for (const relay of this.relays.flat()) relay.close();
    this.network?.remove();
    await this.publisher.remove();
    this.disk?.unmount();
    await this.pair.remove();
  }

  #work<T>(whose: AccountSelection, work: (accounts: Accounts, keys: Keys) => T): Promise<T> {
    return withClient(this.url, (client) =>
      workOnAccounts(client, whose, (database) => {
        const parts = { database, clock: systemClock, ids: systemIds() };
        return work(new Accounts(parts), new Keys(parts));
      }),
    );
  }

  /** A metric from the node's listener for operators, or null if it does not respond. */
  async #figure(index: number, name: string): Promise<number | null> {
    const { host, opsPort } = this.#nodes[index]!;
    const answer = await tryFetch(`http://${host}:${opsPort}/metrics`, { signal: AbortSignal.timeout(5000) });
    const text = (await answer?.text().catch(() => "")) ?? "";
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    return line === undefined ? null : Number(line.slice(name.length + 1));
  }

  async #build(clocks: readonly number[]): Promise<void> {
    const { publisher } = this;
    await this.pair.query("CREATE DATABASE itemtape");
    const [migrated] = await Promise.all([
      runHere(["private", "migrate", "--private-db", this.url]),
      publisher.start(),
    ]);
    if (migrated.code !== 0) throw new Error(migrated.notes.join("\n"));
    [this.probe] = (await this.people("quant")) as [Person];
    const taken = join(temporaryFolder(), "market.db");
    await takeRelease(publisher, taken);
    for (let index = 0; index < 3; index += 1) this.#nodes.push(await this.#newNode(index, taken));
    // If one does not start, wait for the others so that they are stopped too.
    const started = await Promise.allSettled(this.#nodes.map((_, index) => this.startNode(index, clocks[index])));
    for (const node of started) if (node.status === "rejected") throw node.reason;
    this.proxy = await FrontProxy.start(this.#nodes.map(({ host, port }) => `${host}:${port}`));
  }

  /** A node that has the release in the file `taken`. */
  async #newNode(index: number, taken: string): Promise<Node> {
    const file = join(index === 0 && this.disk !== null ? this.disk.folder : temporaryFolder(), "market.db");
    copyFileSync(taken, file);
    copyFileSync(downloadStatePath(taken), downloadStatePath(file));
    const ports = this.pair.servers.map(({ port }) => port);
    const inside = index === 2 ? this.network : null;
    const host = inside?.inside ?? "127.0.0.1";
    const relays = this.relays[index - 1];
    const database =
      inside === null
        ? addressOf("127.0.0.1", relays?.map(({ port }) => port) ?? ports)
        : addressOf(inside.machine, ports);
    const proxies = ["127.0.0.1", ...(this.network === null ? [] : [this.network.machine])].join();
    const opsPort = await freePort();
    const { followed, trust } = this.publisher;
    const places = [
      "--private-db",
      database,
      "--trusted-proxies",
      proxies,
      "--ops-host",
      host,
      "--ops-port",
      String(opsPort),
    ];
    const releases = ["--follow", followed, "--trust", trust, "--follow-every-ms", "200", "--follow-stale-hours", "2"];
    const schedules = ["--roi-schedule", "off", "--valuation-schedule", "off", "--log-level", "error"];
    const pause = index === 0 ? ["--drain-pause-ms", "200"] : [];
    const flags = [...places, ...releases, ...schedules, ...pause];
    return { host, port: await freePort(), opsPort, file, flags, wrap: inside?.wrap ?? [] };
  }
}

function peopleOf(accounts: Accounts, keys: Keys, plans: readonly Plan[]): Person[] {
  return plans.map((plan) => {
    const { accountId } = accounts.create(`${plan} account`);
    if (plan !== "free") accounts.setPlan(accountId, plan, null);
    const { key, secret } = keys.create(accountId, "key", 30);
    return { accountId, keyId: key.keyId, secret, canExport: plan !== "free" };
  });
}

function addressOf(host: string, ports: readonly number[]): string {
  const hosts = ports.map((port) => `${host}:${port}`).join(",");
  return `postgresql://itemtape@${hosts}/itemtape?target_session_attrs=read-write`;
}
