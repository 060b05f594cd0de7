import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Bytes of a database file and of its write-ahead log, and free bytes of its file system for this user. */
export type Space = { databaseBytes: number; walBytes: number; freeBytes: number };

/**
 * Returns the space of the database file at `path`. A missing file has 0 bytes.
 * @throws {Error} when the file system reports an error.
 */
export function spaceOf(path: string): Space {
  return { databaseBytes: bytesOf(path), walBytes: bytesOf(`${path}-wal`), freeBytes: freeBytesAt(path) };
}

/**
 * Returns the free bytes for this user on the file system of `path`.
 * @throws {Error} when the file system reports an error.
 */
export function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
