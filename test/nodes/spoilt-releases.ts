import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { latestName, manifestName } from "../../src/releases/folder.ts";
import { readReleaseKey } from "../../src/releases/key.ts";
import { sealRelease } from "../../src/releases/seal.ts";
import type { FollowReasonName } from "../../src/values/failure/follow-reasons.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { temporaryFolder } from "../support/files.ts";
import { publish, type RingPublisher, ticker } from "./publisher.ts";

/** A price that the publisher never publishes. */
const wrongCents = 900_000;

/** A fault in a copy of the publisher's folder. `reason` is the nodes' reason to refuse its newest release, as in their metrics. */
type Spoilt = { reason: FollowReasonName; spoil(publisher: RingPublisher, folder: string): Promise<void> };

/** Ways to spoil a folder. The nodes serve its newest release or the previous one. */
export const spoilt: Readonly<Record<string, Spoilt>> = {
  "signed by another key": {
    reason: "forged",
    async spoil(publisher, folder) {
      rmSync(folder, { recursive: true });
      await seal(await otherFile(publisher), folder, generateKeyPairSync("ed25519").privateKey);
    },
  },
  "with a changed manifest": {
    reason: "forged",
    async spoil({ newest }, folder) {
      const { number, generation } = newest!;
      const before = latestOf(folder);
      const after = before
        .replace(`"number":${number},`, `"number":${number + 1},`)
        .replace(`"${generation}"`, '"g9999"');
      if (!after.includes('"g9999"')) throw new Error("a manifest has another form");
      writeFileSync(join(folder, latestName), after);
    },
  },
  "with a manifest cut off": {
    reason: "torn",
    async spoil(_, folder) {
      truncateSync(join(folder, latestName), Math.floor(latestOf(folder).length / 2));
    },
  },
  "put back to an older release": {
    reason: "rollback",
    async spoil({ newest }, folder) {
      cpSync(join(folder, manifestName(newest!.number - 1)), join(folder, latestName));
    },
  },
  "forked by another file with the same key": {
    reason: "fork",
    async spoil(publisher, folder) {
      const { number } = publisher.newest!;
      cpSync(join(folder, manifestName(number - 1)), join(folder, latestName));
      rmSync(join(folder, manifestName(number)));
      const other = await otherFile(publisher);
      const key = readReleaseKey(publisher.keyPath);
      await seal(other, folder, key);
      publish(other, "ticker", ticker, 1, wrongCents + 1);
      await seal(other, folder, key);
    },
  },
  "with torn chunks": {
    reason: "torn",
    async spoil(publisher, folder) {
      // The nodes follow the copy, so they have not seen the publisher's new release.
      const known = new Set(chunksOf(folder));
      await publisher.seals(publisher.publish());
      cpSync(publisher.sealed, folder, { recursive: true, filter: (path) => !path.endsWith(latestName) });
      for (const name of chunksOf(folder)) if (!known.has(name)) truncateSync(join(folder, name), 10);
      cpSync(join(publisher.sealed, latestName), join(folder, latestName));
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

function seal(databasePath: string, folder: string, key: KeyObject): Promise<unknown> {
  const order = { databasePath, folder, key, retention: { count: 1000, hours: 24 }, takeOver: true };
  const newLineage = () => systemIds().handle("rel_");
  return sealRelease(order, { clock: systemClock, newLineage, signal: new AbortController().signal });
}

function latestOf(folder: string): string {
  return readFileSync(join(folder, latestName), "utf8");
}

function chunksOf(folder: string): string[] {
  const names = readdirSync(join(folder, "chunks"), { recursive: true }).map(String);
  return names.filter((name) => name.endsWith(".chunk")).map((name) => join("chunks", name));
}
