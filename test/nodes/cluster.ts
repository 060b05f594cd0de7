import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { ServerChild, tryFetch } from "../faults/child.ts";
import { FaultFile } from "../faults/fault-file.ts";
import { jsonOf, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { freePort } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { Network } from "./network.ts";
import { PostgresPair } from "./postgres-pair.ts";
import { FrontProxy } from "./proxy.ts";
import { Relay } from "./relay.ts";
import type { Person } from "./traffic.ts";

/** Copies of the demo's items, so that an export is larger than what sockets hold. */
const copies = 16;
const recoveryMsMax = 60_000;

type Node = {
  readonly host: string;
  readonly port: number;
  readonly file: string;
  readonly flags: readonly string[];
  readonly wrap: readonly string[];
};

/**
 * Three nodes of the program behind nginx, on PostgreSQL with a synchronous standby. The second speaks to PostgreSQL through relays, the
 * third in a network of its own (through relays as well where this process may make none).
 */
export class Cluster {
  readonly pair: PostgresPair;
  readonly network: Network | null;
  /** Of the second node, and of the third where it has no network. */
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

  /** Starts node `index`, whose clock is `clockMs` off. */
  async startNode(index: number, clockMs = 0): Promise<void> {
    const { host, port, file, flags, wrap } = this.#nodes[index]!;
    const shift = `const now=Date.now;Date.now=()=>now()+(${clockMs})`;
    const clock = ["env", `NODE_OPTIONS=--import=data:text/javascript,${encodeURIComponent(shift)}`];
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

  /** Resolves when every node charges again. */
  async recovered(): Promise<void> {
    const headers = { authorization: `Bearer ${this.probe.secret}` };
    const charges = async (base: string) =>
      (await tryFetch(`${base}/v1/items/1`, { headers, signal: AbortSignal.timeout(5000) }))?.status === 200;
    for (const base of this.bases) await until(`${base} charges again`, () => charges(base), recoveryMsMax);
  }

  /** Makes an account with a key, by the program's own commands. */
  async person(plan: "free" | "builder" | "quant"): Promise<Person> {
    const { account_id: accountId } = await jsonOf("accounts", "create", `${plan} account`, "--private-db", this.url);
    if (plan !== "free") await jsonOf("accounts", "plan", accountId, plan, "--private-db", this.url);
    return this.key({ accountId, canExport: plan !== "free" });
  }

  async key({ accountId, canExport }: Pick<Person, "accountId" | "canExport">): Promise<Person> {
    const { key_id: keyId, secret } = await jsonOf("keys", "create", accountId, "--private-db", this.url);
    return { accountId, keyId, secret, canExport };
  }

  /** Revokes a key. Returns whether the command says that it did. */
  async revoke({ keyId }: Person): Promise<boolean> {
    return (await runHere(["keys", "revoke", keyId, "--private-db", this.url])).code === 0;
  }

  async remove(): Promise<void> {
    await this.proxy?.stop();
    for (const child of this.#children) await child?.stop();
    for (const relay of this.relays.flat()) relay.close();
    this.network?.remove();
    await this.pair.remove();
  }

  async #build(clocks: readonly number[]): Promise<void> {
    const file = new FaultFile();
    try {
      file.enlarge(copies);
      await this.pair.query("CREATE DATABASE itemtape");
      const imported = await runHere(["private", "import", "--db", file.path, "--private-db", this.url]);
      if (imported.code !== 0) throw new Error(imported.notes.join("\n"));
      this.probe = await this.person("quant");
      const ports = this.pair.servers.map(({ port }) => port);
      for (let index = 0; index < 3; index += 1) {
        const own = join(temporaryFolder(), "market.db");
        copyFileSync(file.path, own);
        const isInside = index === 2 && this.network !== null;
        const relays = this.relays[index - 1];
        const database = isInside
          ? addressOf(this.network!.machine, ports)
          : addressOf("127.0.0.1", relays?.map(({ port }) => port) ?? ports);
        const proxies = ["127.0.0.1", ...(this.network === null ? [] : [this.network.machine])].join();
        const flags = ["--private-db", database, "--trusted-proxies", proxies, "--roi-schedule", "off"];
        const pause = index === 0 ? ["--drain-pause-ms", "200"] : [];
        this.#nodes.push({
          host: isInside ? this.network!.inside : "127.0.0.1",
          port: await freePort(),
          file: own,
          flags: [...flags, ...pause, "--valuation-schedule", "off", "--log-level", "error"],
          wrap: isInside ? this.network!.wrap : [],
        });
      }
      // Where one does not start the others are waited for, so that they are ended, too.
      const started = await Promise.allSettled(this.#nodes.map((_, index) => this.startNode(index, clocks[index])));
      for (const node of started) if (node.status === "rejected") throw node.reason;
      this.proxy = await FrontProxy.start(this.#nodes.map(({ host, port }) => `${host}:${port}`));
    } finally {
      file.remove();
    }
  }
}

function addressOf(host: string, ports: readonly number[]): string {
  const hosts = ports.map((port) => `${host}:${port}`).join(",");
  return `postgresql://itemtape@${hosts}/itemtape?target_session_attrs=read-write`;
}
