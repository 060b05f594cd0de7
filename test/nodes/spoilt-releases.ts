import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timestampName } from "../../src/releases/folder.ts";
import { readReleaseKey } from "../../src/releases/key.ts";
import { sealRelease } from "../../src/releases/seal.ts";
import type { FollowReasonName } from "../../src/values/failure/follow-reasons.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { initRoot, Signer } from "../releases/signer.ts";
import { temporaryFolder } from "../support/files.ts";
import { publish, type RingPublisher, ticker } from "./publisher.ts";

/** A price that the publisher never publishes. */
const wrongCents = 900_000;

/** A fault in a copy of the publisher's folder. `reason` is the nodes' reason to refuse its newest release, as in their metrics. */
type Spoilt = { reason: FollowReasonName; spoil(publisher: RingPublisher, folder: string): Promise<void> };

type Edited = { version: number; expires: string };

/** Ways to spoil a folder. The nodes serve its newest release or the previous one. */
export const spoilt: Readonly<Record<string, Spoilt>> = {
  "signed by another root": {
    reason: "forged",
    async spoil(publisher, folder) {
      rmSync(folder, { recursive: true });
      await seal(await otherFile(publisher), folder);
    },
  },
  "with a changed timestamp": {
    reason: "forged",
    async spoil(_, folder) {
      const after = timestampOf(folder).replace(/"version":(\d+),"expires"/, '"version":9$1,"expires"');
      if (!after.includes('"version":9')) throw new Error("a timestamp has another form");
      writeFileSync(join(folder, timestampName), after);
    },
  },
  "with a timestamp cut off": {
    reason: "torn",
    async spoil(_, folder) {
      truncateSync(join(folder, timestampName), Math.floor(timestampOf(folder).length / 2));
    },
  },
  "put back to an older release": {
    reason: "rollback",
    async spoil(publisher, folder) {
      edited(publisher, folder, (signed) => {
        signed.version -= 100;
      });
    },
  },
  "with an expired timestamp": {
    reason: "expired",
    async spoil(publisher, folder) {
      edited(publisher, folder, (signed) => {
        signed.expires = "2026-01-01T00:00:00Z";
      });
    },
  },
  "with torn chunks": {
    reason: "torn",
    async spoil(publisher, folder) {
      // The nodes follow the copy, so they have not seen the publisher's new release.
      const known = new Set(chunksOf(folder));
      await publisher.seals(publisher.publish());
      cpSync(publisher.sealed, folder, { recursive: true, filter: (path) => !path.endsWith("timestamp.json") });
      for (const name of chunksOf(folder)) if (!known.has(name)) truncateSync(join(folder, name), 10);
      cpSync(join(publisher.sealed, timestampName), join(folder, timestampName));
    },
  },
};
export const spoiltNames = Object.keys(spoilt);

/** Copies the folder of the publisher. Returns the copy. */
export function copyOfReleases({ sealed }: RingPublisher): string {
  const folder = join(temporaryFolder(), "releases");
  cpSync(sealed, folder, { recursive: true });
  return folder;
}

/** A copy of the publisher's file with another price. */
async function otherFile(publisher: RingPublisher): Promise<string> {
  const path = join(temporaryFolder(), "other.db");
  await publisher.copyTo(path);
  publish(path, "ticker", ticker, 1, wrongCents);
  return path;
}

/** Seals a file into a new folder, with a root of its own. */
async function seal(databasePath: string, folder: string): Promise<void> {
  const keyPath = join(temporaryFolder(), "other.pem");
  await initRoot(folder, keyPath);
  const order = { databasePath, folder, key: readReleaseKey(keyPath), retention: { count: 1000, hours: 24 } };
  const newLineage = () => systemIds().handle("rel_");
  await sealRelease(order, { clock: systemClock, newLineage, signal: new AbortController().signal });
}

/** Signs another timestamp with the publisher's key. */
function edited({ keyPath }: RingPublisher, folder: string, timestamp: (signed: Edited) => void): void {
  new Signer(folder).edit({ timestamp }, readReleaseKey(keyPath));
}

function timestampOf(folder: string): string {
  return readFileSync(join(folder, timestampName), "utf8");
}

function chunksOf(folder: string): string[] {
  const names = readdirSync(join(folder, "chunks"), { recursive: true }).map(String);
  return names.filter((name) => name.endsWith(".chunk")).map((name) => join("chunks", name));
}
