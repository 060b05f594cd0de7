import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import { plans } from "../../src/access/plans.ts";
import { type App, startApp } from "../../src/app.ts";
import type { AppParts } from "../../src/compose.ts";
import { createEvents } from "../../src/log/events.ts";
import { sealRelease } from "../../src/releases/seal.ts";
import { systemIds } from "../../src/values/ids.ts";
import { runHere } from "../support/cli.ts";
import { TestClient } from "../support/client.ts";
import { TestClock } from "../support/clock.ts";
import { temporaryFolder } from "../support/files.ts";
import { publishFewQuotes, publishOffers } from "../support/publish.ts";
import { until } from "../support/until.ts";
import { World } from "../support/world.ts";
import { Signer } from "./signer.ts";

const farAt = Date.UTC(2090, 0, 1);
const unlimited = { ...plans, quant: { ...plans.quant, requestsPerMinute: 100_000, snapshotStartsPerDay: 10_000 } };

/** A publisher with the demo world, its release folder, and the private database of its followers. */
export class Publisher extends Signer {
  readonly world = new World({ fewItems: true });
  readonly privateUrl: string;
  /** A key of a plan without limits that a test could meet. */
  quant = "";
  #cents = 100;

  constructor(privateUrl: string) {
    super(join(temporaryFolder(), "releases"));
    this.privateUrl = privateUrl;
  }

  /** Moves the accounts of the demo world into the private database and seals the first release, of a market with few quotes. */
  async begin(): Promise<void> {
    publishFewQuotes(this.world);
    this.quant = this.world.account("quant").secret;
    this.world.sql("UPDATE api_keys SET expires_at = ?", farAt);
    this.world.sql("UPDATE accounts SET plan_ends_at = ? WHERE plan_ends_at IS NOT NULL", farAt);
    const words = ["private", "import", "--db", this.world.path, "--private-db", this.privateUrl];
    const { code, notes } = await runHere(words);
    if (code !== 0) throw new Error(notes.join("\n"));
    await this.init();
    await this.seal();
  }

  /** Publishes another generation and seals it. Returns the number of the release. */
  async publish(): Promise<number> {
    this.#cents += 1;
    publishOffers(this.world, new Map([[1, this.#cents]]));
    return this.seal();
  }

  /** Verifies the feeds without another change. Returns the number of the release. */
  async verify(): Promise<number> {
    this.clock.at += 60_000;
    this.world.sql("UPDATE feeds SET checked_at = ?", this.clock.at);
    return this.seal();
  }

  async seal(): Promise<number> {
    const order = { databasePath: this.world.path, folder: this.folder, key: this.key, isChecked: true };
    const retention = { count: 100, hours: 0 };
    const newLineage = () => systemIds().handle("rel_");
    const parts = { clock: this.clock, newLineage, signal: new AbortController().signal };
    return (await sealRelease({ ...order, retention }, parts)).number;
  }
}

/** A web server with a folder of releases, which answers conditional requests. */
export class ReleaseServer {
  /** Paths of the answers with content. */
  readonly asked: string[] = [];
  /** Number of 304 responses. */
  unchanged = 0;
  readonly #server = createServer((req, res) => this.#answer(req, res));
  #folder = "";
  #hanging: (() => void) | null = null;
  #isHanging = false;

  async serve(folder: string): Promise<void> {
    this.#folder = folder;
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/market/`;
  }

  /** Stops responding to chunk requests. Resolves at the first of them. */
  hangAtChunk(): Promise<void> {
    this.#isHanging = true;
    return new Promise((resolve) => {
      this.#hanging = resolve;
    });
  }

  goOn(): void {
    this.#isHanging = false;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer({ url = "", headers }: IncomingMessage, res: ServerResponse): void {
    if (this.#isHanging && url.includes("/chunks/")) {
      this.#hanging?.();
      return;
    }
    const path = join(this.#folder, url.slice("/market/".length));
    if (!existsSync(path)) {
      res.writeHead(404).end();
      return;
    }
    const content = readFileSync(path);
    const etag = `"${createHash("sha256").update(content).digest("hex")}"`;
    if (headers["if-none-match"] === etag) {
      this.unchanged += 1;
      res.writeHead(304, { etag }).end();
      return;
    }
    this.asked.push(url);
    // An old time, because the follower trusts a time only when no change in the same second is possible.
    res
      .writeHead(200, { etag, "last-modified": new Date(0).toUTCString(), "content-length": content.length })
      .end(content);
  }
}

/** A node that follows, in this process. */
export class FollowingNode {
  readonly path: string;
  readonly events = createEvents("silent");
  readonly client = new TestClient(() => this.base);
  readonly clock = new TestClock(Date.now());
  /** Moves the clock of intervals and retries. */
  laterMs = 0;
  readonly #publisher: Publisher;
  readonly #source: string;
  readonly #trust: string;
  #app: App | null = null;

  constructor(
    publisher: Publisher,
    {
      source = publisher.folder,
      trust = publisher.trust,
      path = join(temporaryFolder(), "market.db"),
    }: { source?: string; trust?: string; path?: string } = {},
  ) {
    this.#publisher = publisher;
    this.#source = source;
    this.#trust = trust;
    this.path = path;
  }

  get app(): App {
    if (this.#app === null) throw new Error("the node does not run");
    return this.#app;
  }

  get base(): string {
    return `http://127.0.0.1:${this.app.port}`;
  }

  get status() {
    return this.app.follower!.status;
  }

  async start(more: Partial<AppParts> = {}): Promise<void> {
    // Intervals and retries use a running clock.
    const clock = { now: this.clock.now, monotonicMs: () => performance.now() + this.laterMs };
    this.#app = await startApp({
      config: { host: "127.0.0.1", port: 0, opsPort: 0, connectionsMax: 1024, inFlightMax: 256 },
      databasePath: this.path,
      privateUrl: this.#publisher.privateUrl,
      clock,
      ids: systemIds(),
      events: this.events,
      follow: { source: this.#source, trust: this.#trust, everyMs: 20, staleMs: 24 * 3_600_000 },
      instead: { release: "0.1.0+1a2b3c4", plans: unlimited },
      ...more,
    });
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.#app?.close(2000);
    this.#app = null;
  }

  /** Waits until a release is served. */
  serves(release: number): Promise<void> {
    return until(`release ${release} is served`, () => this.status.number === release);
  }

  /** Waits until the newest release was refused. Returns why. */
  async refuses(): Promise<string> {
    await until("a release is refused", () => this.status.failure !== null);
    return this.status.failure ?? "";
  }

  async generation(): Promise<string> {
    const { json } = await this.client.call("getCurrentGeneration", { key: this.#publisher.quant });
    return json.data.generation;
  }

  /** The answers of the listener for operators. */
  async ops(path: string): Promise<[status: number, text: string]> {
    const answer = await fetch(`http://127.0.0.1:${this.app.opsPort}${path}`);
    return [answer.status, await answer.text()];
  }

  /** Names of the files that hold a market. */
  files(): string[] {
    const isMarket = (name: string) => name.startsWith(basename(this.path)) && !/\.lock|\.json$|-trust/.test(name);
    return readdirSync(dirname(this.path)).filter(isMarket).sort();
  }
}
