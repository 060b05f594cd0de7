import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Database } from "../../src/store/database.ts";
import { lengthenQuotes } from "../support/long-quotes.ts";
import type { World } from "../support/world.ts";

/** An export to a client that does not read until requested. */
export type StalledExport = {
  status: number;
  /** Cuts the connection, like a client that disconnects. */
  cut(): void;
  /** Reads the rest, to the end or to the break. */
  read(): Promise<{ records: Record<string, unknown>[]; isWhole: boolean }>;
};

/**
 * Gives each quoted item as many bytes of buy orders as `offers` offers have. The export then exceeds the buffers of two sockets: 30 MB for
 * 100.
 */
export function lengthenExport(market: { change(work: (database: Database) => void): void }, offers = 100): void {
  // About the bytes of `offers` offers.
  market.change((database) => lengthenQuotes(database, offers * 106));
}

/** Starts an export, or a stream of the changes since a state, and resolves as soon as its headers are there. */
export function startExport(world: Pick<World, "base">, key: string, since?: object): Promise<StalledExport> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${world.base}/v1/markets/${since === undefined ? "snapshot" : "changes"}`, {
      method: "POST",
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        ...(since !== undefined && { "content-type": "application/json" }),
      },
    });
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      outgoing.off("error", reject);
      outgoing.on("error", () => {});
      incoming.on("error", () => {});
      resolve({
        status: incoming.statusCode ?? 0,
        cut: () => void outgoing.destroy(),
        read: () => readLines(incoming),
      });
    });
    outgoing.end(since === undefined ? undefined : JSON.stringify(since));
  });
}

/** Number of exports that hold a slot. */
export function liveExports(world: World): number {
  const [row] = world.sql("SELECT count(*) AS live FROM snapshot_leases WHERE state = 'reserved'");
  return Number(row?.live);
}

function readLines(incoming: IncomingMessage): Promise<{ records: Record<string, unknown>[]; isWhole: boolean }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.once("close", () => {
      const lines = Buffer.concat(chunks).toString().split("\n").slice(0, -1);
      resolve({ records: lines.map((line) => JSON.parse(line)), isWhole: incoming.complete });
    });
  });
}
