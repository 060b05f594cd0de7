import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Accounts } from "../../src/access/accounts.ts";
import { Keys } from "../../src/access/keys.ts";
import { startApp } from "../../src/app.ts";
import type { DemoKeys } from "../../src/demo/demo.ts";
import { createEvents } from "../../src/log/events.ts";
import { openWriter } from "../../src/store/database.ts";
import { document } from "../contract/answers.ts";
import { type Node, parseDocument } from "../contract/document.ts";
import { CountingIds, createExampleFile, demoAt } from "../support/example-world.ts";

/** Reports that openapi.yaml differs from the served document. */
export class StaleDocument extends Error {}

/** A running server with the demo world, and a key of each kind. */
export type Subject = {
  base: string;
  keys: { market: string; portfolio: string; unknown: string };
  /** Advances the server's clock, so that the next SDK has a full minute's requests. */
  nextMinute(): void;
};

const dayMs = 86_400_000;
const minuteMs = 60_000;
const busyMs = 5000;

/**
 * Parses the text of openapi.yaml.
 * @throws {StaleDocument} when generated/openapi.json differs from it.
 */
export function parseServedDocument(text: string): Node {
  const parsed = parseDocument(text);
  // Compared as JSON, as it is derived.
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(parsed)), document)) return parsed;
  throw new StaleDocument("generated/openapi.json differs from openapi.yaml; run `npm run generate`");
}

/**
 * Starts the real server on a demo file in a temporary folder; `stop` removes it. `createFile` creates the file and returns its secrets.
 */
export async function openSubject(
  createFile: (path: string) => DemoKeys = createExampleFile,
): Promise<{ subject: Subject; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "itemtape-sdk-subject-"));
  const path = join(folder, "itemtape.db");
  let atMs = demoAt;
  const clock = { now: () => atMs, monotonicMs: () => atMs - demoAt };
  const ids = new CountingIds("sdk");
  const { builderToken } = createFile(path);
  const database = openWriter(path, busyMs);
  const parts = { database, clock, ids };
  const { accountId } = new Accounts(parts).create("SDK check");
  // This plan has the most requests per minute, so that no SDK exceeds its limit.
  new Accounts(parts).setPlan(accountId, "quant", demoAt + 30 * dayMs);
  const { secret } = new Keys(parts).create(accountId, "sdk-check", 90);
  database.$client.close();
  const config = { host: "127.0.0.1", port: 0, connectionsMax: 1024, inFlightMax: 256 };
  const app = await startApp({ config, databasePath: path, clock, ids, events: createEvents("silent") });
  return {
    subject: {
      base: `http://127.0.0.1:${app.port}`,
      keys: { market: secret, portfolio: builderToken, unknown: `itemtape_live_${"0".repeat(36)}` },
      nextMinute: () => {
        atMs += minuteMs;
      },
    },
    async stop() {
      await app.close(1000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
