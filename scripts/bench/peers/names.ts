/** Servers that answer `GET /v1/items/{item_id}`. */
export const pointServers = [
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
export type PointServer = (typeof pointServers)[number];

/** Servers that answer any request with a whole export. */
export const exportServers = ["file-pipe-64k", "file-pipe-256k", "join-stringify", "sql-json", "full-stack"] as const;
export type ExportServer = (typeof exportServers)[number];

export type ServerName = PointServer | ExportServer;

/** Servers that write into their database file. */
export const writingServers: ReadonlySet<ServerName> = new Set(["fastify-fsync", "full-stack", "uncharged"]);
