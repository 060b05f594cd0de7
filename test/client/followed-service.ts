import { expect } from "chai";
import { digestsOf } from "../../src/client/digest.ts";
import { Itemtape, type Market } from "../../src/client/index.ts";
import { importDemoCatalog } from "../support/demo-catalog.ts";
import { publishOffers } from "../support/publish.ts";
import { type Account, useWorld, type World, type WorldOptions } from "../support/world.ts";

/**
 * The real service with a market, an account and its client. It runs from before the first to after the last test of the enclosing block.
 */
export class FollowedService {
  readonly world: World;
  account!: Account;
  api!: Itemtape;

  constructor(options: WorldOptions) {
    this.world = useWorld(options);
    before(() => this.#begin());
  }

  /** Publishes a generation in which each item with an id divisible by `every` has this price. Returns the number of these items. */
  publish(every: number, cents: number): number {
    this.world.clock.at += 300_000;
    const ids = this.world.sql("SELECT item_id AS id FROM items WHERE in_catalog = 1 AND item_id % ? = 0", every);
    publishOffers(this.world, new Map(ids.map(({ id }) => [Number(id), cents])));
    return ids.length;
  }

  /** Starts a copy, or continues one. */
  following(since?: Market) {
    return this.api.follow({ since })[Symbol.asyncIterator]();
  }

  /** Compares a copy with an export and with the service's report of its generation. */
  async isTrue(market: Market): Promise<void> {
    const { start, items } = await this.api.exportMarket();
    // Comparing text needs a tenth of the time.
    expect(JSON.stringify([...market.items])).to.equal(JSON.stringify(items.map((one) => [one.item_id, one])));
    const { data } = await this.api.getGeneration({ generation: start.generation });
    const { generation, digest, identity_digest: identityDigest, ingested_at: ingestedAt } = data;
    expect(market).to.include({ generation, digest, identityDigest, ingestedAt });
    expect(digestsOf(items)).to.deep.equal({ digest, identityDigest });
  }

  /** Imports the catalog with other names of paint phases, and without some items. */
  rename(suffix: string, gone: readonly number[] = []) {
    return importDemoCatalog(this.world, gone, (variant) =>
      variant.phase !== null ? { ...variant, marketHashName: `${variant.marketHashName}${suffix}` } : variant,
    );
  }

  /** How often an operation was charged. */
  starts(operation: string): number {
    const [row] = this.world.sql("SELECT count(*) AS n FROM usage_events WHERE operation = ?", operation);
    return Number(row?.n);
  }

  #begin(): void {
    this.account = this.world.account("quant");
    this.api = new Itemtape({
      baseUrl: this.world.base,
      apiKey: this.account.secret,
      // A rename publishes no answer to a waiting request. And the server may have closed a connection that was idle while this process
      // published.
      fetch: (input, init) =>
        fetch(String(input).replace("wait_seconds=30", "wait_seconds=0"), {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), connection: "close" },
        }),
      parts: { wait: () => new Promise(setImmediate) },
    });
  }
}
