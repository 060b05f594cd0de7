/** Servers that answer `GET /v1/items/{item_id}`. */
export const pointServerNames = [
  "raw-constant",
  "raw-read",
  "express-constant",
  "express-openapi-backend",
  "express-openapi-validator",
  "fastify-read",
  "fastify-fsync",
  "full-stack",
  "uncharged",
] as const;

export type PointServerName = (typeof pointServerNames)[number];

/** Servers that answer any request with a whole export. */
export const exportServerNames = [
  "file-pipe-64k",
  "file-pipe-256k",
  "join-stringify",
  "sql-json",
  "full-stack",
] as const;

export type ExportServerName = (typeof exportServerNames)[number];

/** Those that write into their database file. */
export const writingServers: ReadonlySet<string> = new Set(["fastify-fsync", "full-stack", "uncharged"]);
