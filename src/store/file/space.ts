import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Bytes of a database file, of its write-ahead log, and of the room that its file system has for this user. */
export type Space = { databaseBytes: number; walBytes: number; freeBytes: number };

/**
 * Returns the space of the database file at `path`; a file that is missing has 0 bytes.
 * @throws {Error} when the file system cannot be asked.
 */
export function spaceOf(path: string): Space {
  return { databaseBytes: bytesOf(path), walBytes: bytesOf(`${path}-wal`), freeBytes: freeBytesAt(path) };
}

/**
 * Returns the bytes that are free for this user on the file system of `path`.
 * @throws {Error} when it cannot be asked.
 */
export function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
