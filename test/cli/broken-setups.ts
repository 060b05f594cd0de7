import { chmodSync, copyFileSync, linkSync, mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { type Bounds, boundDefaults } from "../../src/cli/doctor/doctor.ts";
import type { Status } from "../../src/cli/doctor/finding.ts";
import { settings } from "../../src/config/config.ts";
import { createReleaseKey, readReleaseKey } from "../../src/releases/key.ts";
import { manifestFileOf } from "../../src/releases/manifest.ts";
import { sealedStatePath } from "../../src/releases/seal.ts";
import { ReleaseState } from "../../src/releases/state.ts";
import { openWriter } from "../../src/store/database.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { Signer } from "../releases/signer.ts";
import { smallManifest } from "../releases/small-manifest.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";
import { demoFewItemsFile } from "../support/kept-files.ts";
import { demoAt } from "../support/world.ts";

const hourMs = 3_600_000;
const hourS = 3_600;
export const mirrorConfig = settings.mirrorConfig.fallback;

/** A set-up that nothing is wrong with but that no server runs. `home`: the folder of the file. */
export type SetUp = {
  folder: string;
  home: string;
  db: string;
  backups: string;
  now: number;
  bounds: Bounds;
  mirrorConfig: string;
} & typeof alone;

/** A public key without an owner. */
export const someTrust = `root:1:${"0".repeat(64)}`;
/** Nothing listens there. */
const nowhere = "postgresql://itemtape@127.0.0.1:1/itemtape";
/** Settings of a server by itself. */
export const alone = {
  privateDb: "",
  privateDbFile: "",
  follow: "",
  trust: "",
  followStaleHours: 24,
  releaseTo: "",
  releaseKey: "",
  releaseOwnNodes: "off" as "on" | "off",
};

/** A set-up with one fault. `spoil` creates it and may return changed settings for the check. `status` is `failed` by default. */
type BrokenSetUp = {
  title: string;
  check: string;
  status?: Status;
  says: RegExp;
  spoil(setUp: SetUp): unknown;
};

/** Makes a set-up in a new folder. */
export function makeSetUp(): SetUp {
  const folder = temporaryFolder();
  const [home, backups] = [join(folder, "home"), join(folder, "backups")];
  for (const place of [home, backups]) mkdirSync(place, { mode: 0o700 });
  const [db, backup] = [join(home, "itemtape.db"), join(backups, "one.db")];
  copyFileSync(demoFewItemsFile().path, db);
  newDatabase(backup);
  return { folder, home, db, backups, now: demoAt, bounds: boundDefaults, mirrorConfig, ...alone };
}

export const brokenSetUps: readonly BrokenSetUp[] = [
  {
    title: "a missing file",
    check: "file",
    says: /the file does not exist; `npx itemtape start`/,
    spoil: ({ db }) => rmSync(db),
  },
  { title: "an empty file", check: "file", says: /the file is empty; remove it/, spoil: ({ db }) => truncateSync(db) },
  {
    title: "a file that is not a database",
    check: "file",
    says: /not an Itemtape database; name another/,
    spoil: ({ db }) => writeFileSync(db, "x".repeat(5_000)),
  },
  {
    title: "another program's database",
    check: "file",
    says: /not an Itemtape database; name another/,
    spoil: ({ db }) => foreign(db),
  },
  {
    title: "a file of an older release",
    check: "file",
    says: /older release.*`npx itemtape db migrate`/,
    spoil: ({ db }) => sql(db, "PRAGMA user_version = 1"),
  },
  {
    title: "a file with a second name",
    check: "file",
    says: /a second name.*; remove one of the names/,
    spoil: ({ db, folder }) => linkSync(db, join(folder, "link.db")),
  },
  {
    title: "a file that others may read",
    check: "permissions",
    says: /has mode 644; run `chmod 600/,
    spoil: ({ db }) => chmodSync(db, 0o644),
  },
  {
    title: "a folder that others may write",
    check: "permissions",
    says: /others may replace the file; run `chmod 700/,
    spoil: ({ home }) => chmodSync(home, 0o777),
  },
  {
    title: "a folder that others may list",
    check: "permissions",
    status: "warning",
    says: /others may list it; run `chmod 700/,
    spoil: ({ home }) => chmodSync(home, 0o755),
  },
  {
    title: "a clock two hours behind the ledger",
    check: "clock",
    says: /2 h before the ledger's latest time: charges are refused; set the machine's clock/,
    spoil: ({ db, now }) => sql(db, `UPDATE ledger_clock SET high_water_at = ${now + 2 * hourMs}`),
  },
  {
    title: "a clock half an hour behind the ledger",
    check: "clock",
    status: "warning",
    says: /30 min before the ledger's latest time; set the machine's clock/,
    spoil: ({ db, now }) => sql(db, `UPDATE ledger_clock SET high_water_at = ${now + hourMs / 2}`),
  },
  {
    title: "a catalog that lacks many priced items",
    check: "catalog",
    status: "warning",
    says: /of the shipped list of 2026-05-16 .*; 12\.5 % of steam's last prices match no item; `npm install .* newer list$/,
    spoil: ({ db }) => sql(db, "UPDATE feeds SET joined_ppm = 875000 WHERE feed = 'steam'"),
  },
  {
    title: "a catalog of an older list",
    check: "catalog",
    status: "warning",
    says: /its items are older than the shipped list of .*; run `npx itemtape import catalog shipped`/,
    spoil: ({ db }) => sql(db, "UPDATE market_state SET demo_anchor_at = NULL"),
  },
  {
    title: "a file without a catalog",
    check: "catalog",
    status: "warning",
    says: /it has no items; run `npx itemtape import catalog shipped`/,
    spoil: ({ db }) => sql(db, "DELETE FROM item_sources"),
  },
  {
    title: "a feed that was not checked for a day",
    check: "feeds",
    says: /1 of 3 feeds are older than 24 h: steam \(checked 24 h ago, published 10 min ago\); import quotes/,
    spoil: ({ db, now }) => sql(db, `UPDATE feeds SET checked_at = ${now - 24 * hourMs} WHERE feed = 'steam'`),
  },
  {
    title: "a feed that was never checked",
    check: "feeds",
    says: /1 of 3 feeds are older than 24 h: steam \(checked never/,
    spoil: ({ db }) => sql(db, "UPDATE feeds SET checked_at = NULL WHERE feed = 'steam'"),
  },
  {
    title: "a source without changes for days",
    check: "feeds",
    status: "warning",
    says: /the sources of 1 of 3 feeds have not changed for 24 h or more: steam \(checked 10 min ago, nothing new since 3 d ago, saved 4 d ago\); check/,
    spoil({ db, now }) {
      const [changed, saved] = [now - 72 * hourMs, now - 96 * hourMs];
      sql(
        db,
        `UPDATE feeds SET changed_at = ${changed}, ingested_at = ${changed}, saved_at = ${saved} WHERE feed = 'steam'`,
      );
    },
  },
  {
    title: "a file without prices",
    check: "feeds",
    status: "warning",
    says: /no prices are published yet; import quotes/,
    spoil({ db }) {
      rmSync(db);
      newDatabase(db);
    },
  },
  {
    title: "a monthly sum that contradicts its units",
    check: "ledger",
    says: /1 account of 2026-01 with another sum than their charged units, such as acc_\w+; run `npx itemtape db check`/,
    spoil: ({ db }) => sql(db, "INSERT INTO usage_months SELECT account_id, '2026-01', 7 FROM accounts LIMIT 1"),
  },
  {
    title: "too little space",
    check: "space",
    says: /free, the file has .*: less than 1000.0 TB free; free some space/,
    spoil: ({ bounds }) => ({ bounds: { ...bounds, freeBytesMin: 1e15 } }),
  },
  {
    title: "a backup that is 27 hours old",
    check: "backups",
    says: /the newest of 1 is 27 h old .*older than 26 h; make one with `npx itemtape db backup/,
    spoil: ({ backups, now }) => utimesSync(join(backups, "one.db"), 0, now / 1000 - 27 * hourS),
  },
  {
    title: "a folder with other files than backups",
    check: "backups",
    says: /has no backup; make one with `npx itemtape db backup/,
    spoil: ({ backups }) => writeFileSync(join(backups, "one.db"), "no backup"),
  },
  {
    title: "a truncated backup",
    check: "backups",
    says: /cut off: it is shorter than its pages; make one/,
    spoil: ({ backups }) => truncateSync(join(backups, "one.db"), 100_000),
  },
  {
    title: "a missing backup folder",
    check: "backups",
    says: /cannot be read .*; name their folder with --backups/,
    spoil: ({ backups }) => rmSync(backups, { recursive: true }),
  },
  {
    title: "an unspecified backup folder",
    check: "backups",
    status: "warning",
    says: /their folder is not configured; name their folder with --backups/,
    spoil: () => ({ backups: "" }),
  },
  {
    title: "a mirror without its configuration file",
    check: "mirror",
    says: /missing file of feeds to mirror; write one/,
    spoil: ({ folder }) => ({ mirrorConfig: join(folder, "none.json") }),
  },
  {
    title: "a mirror with a wrong configuration",
    check: "mirror",
    says: /mirror\.json: line 1: /,
    spoil({ folder }) {
      writeFileSync(join(folder, "mirror.json"), '{"feeds": 7}');
      return { mirrorConfig: join(folder, "mirror.json") };
    },
  },
  {
    title: "an unreachable PostgreSQL database",
    check: "private",
    says: /127\.0\.0\.1:1.*; /,
    spoil: () => ({ privateDb: nowhere }),
  },
  {
    title: "a PostgreSQL address file that others may read",
    check: "private",
    says: /other users may read it; run `chmod 600`/,
    spoil({ folder }) {
      writeFileSync(join(folder, "address"), nowhere, { mode: 0o644 });
      return { privateDbFile: join(folder, "address") };
    },
  },
  {
    title: "a follower without the root of its publisher",
    check: "follow",
    says: /the publisher's trusted root is missing; name it with --trust/,
    spoil: ({ folder }) => ({ follow: folder }),
  },
  {
    title: "a follower with half a root",
    check: "follow",
    says: /--trust: must be the text of/,
    spoil: ({ folder }) => ({ follow: folder, trust: "root:1:half" }),
  },
  {
    title: "a follower without PostgreSQL",
    check: "follow",
    says: /holds no accounts; name the private database with --private-db-file/,
    spoil: ({ folder }) => ({ follow: folder, trust: someTrust }),
  },
  {
    title: "a publisher without a root",
    check: "releases",
    says: /the folder has no root; `npx itemtape release root init` makes one/,
    spoil: ({ folder }) => {
      createReleaseKey(join(folder, "online.pem"));
      return { releaseTo: join(folder, "none"), releaseKey: join(folder, "online.pem") };
    },
  },
  {
    title: "a publisher beside a thief of its key",
    check: "releases",
    says: /^other publisher: release 2 in .* was not sealed from this file; .*the key is stolen: `release root rotate`/,
    spoil: async (setUp) => {
      const settings = await publisher(setUp, {});
      const thief = new Signer(settings.releaseTo!);
      thief.key = readReleaseKey(settings.releaseKey!);
      thief.clock.at = setUp.now + hourMs;
      await thief.sign(smallManifest(2, "forged"));
      return settings;
    },
  },
  {
    title: "a publisher of prices that may not be passed on",
    check: "releases",
    says: /^not allowed: the prices of steam may not be passed on by their terms; .*--release-own-nodes on/,
    spoil: (setUp) => {
      sql(setUp.db, "UPDATE providers SET redistribution = 'not_allowed' WHERE provider = 'steam'");
      return publisher(setUp, {});
    },
  },
  {
    title: "a publisher with a root that ends within 90 days",
    check: "releases",
    status: "warning",
    says: /^the root of the releases expires at .*; sign it again with `npx itemtape release root renew`/,
    spoil: (setUp) => publisher(setUp, { rootDays: 700 }),
  },
  {
    title: "a publisher with an expired root",
    check: "releases",
    says: /^the root of the releases expired at .*: nodes accept no release; sign it again with/,
    spoil: (setUp) => publisher(setUp, { rootDays: 731 }),
  },
  {
    title: "a publisher that does not sign",
    check: "releases",
    status: "warning",
    says: /^the signatures of the releases expire at .*; start the server, which signs every hour/,
    spoil: (setUp) => publisher(setUp, { days: 2 }),
  },
  {
    title: "a publisher with expired signatures",
    check: "releases",
    says: /^the signatures of the releases expired at .*: nodes accept no release; start the server/,
    spoil: (setUp) => publisher(setUp, { days: 4 }),
  },
];

/** Makes a folder of releases with a root and a release that are as old. */
export async function publisher({ folder, db, now }: SetUp, { days = 0, rootDays = 0 }): Promise<Partial<SetUp>> {
  const signer = new Signer(join(folder, "releases"));
  const releaseKey = join(folder, "online.pem");
  signer.key = createReleaseKey(releaseKey);
  signer.clock.at = now - rootDays * dayMs;
  await signer.init();
  signer.clock.at = now - days * dayMs;
  const manifest = smallManifest(1);
  await signer.sign(manifest);
  const { sha256 } = manifestFileOf(manifest);
  new ReleaseState(sealedStatePath(db)).set(manifest.lineage, { number: 1, sha256, next: null });
  return { releaseTo: signer.folder, releaseKey };
}

/** Changes the file at `db` and removes its write-ahead log. */
export function sql(db: string, text: string): void {
  const database = openWriter(db, 0);
  database.$client.exec(text);
  database.$client.close();
}

function foreign(db: string): void {
  rmSync(db);
  const client = new SqliteDatabase(db);
  client.exec("CREATE TABLE other (one)");
  client.close();
  chmodSync(db, 0o600);
}
