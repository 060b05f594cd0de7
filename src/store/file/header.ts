import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** "ITPE", the application id of Itemtape files. */
export const applicationId = 0x49545045;

const headerBytes = 100;
const magic = "SQLite format 3\u0000";
/** Offsets in the file header, from the documentation of SQLite's file format. */
const at = { pageBytes: 16, changes: 24, pages: 28, userVersion: 60, applicationId: 68, pagesValidFor: 92 } as const;

/** Header of an Itemtape database. `isWhole` is false if the file is shorter than its page count, like an interrupted copy. */
type FileHeader = { schema: number; isWhole: boolean };

/**
 * Reads the header of the file at `path`: 100 bytes, without opening a database. Returns null if it is not an Itemtape database.
 * @throws {Error} when the file cannot be read.
 */
export function readHeader(path: string): FileHeader | null {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(headerBytes);
    const isShort = readSync(file, head, 0, headerBytes, 0) < headerBytes;
    if (isShort || head.toString("latin1", 0, magic.length) !== magic) return null;
    if (head.readUInt32BE(at.applicationId) !== applicationId) return null;
    const pageBytes = head.readUInt16BE(at.pageBytes);
    const knowsPages = head.readUInt32BE(at.changes) === head.readUInt32BE(at.pagesValidFor);
    const bytes = knowsPages ? head.readUInt32BE(at.pages) * (pageBytes === 1 ? 65_536 : pageBytes) : 0;
    return { schema: head.readUInt32BE(at.userVersion), isWhole: fstatSync(file).size >= bytes };
  } finally {
    closeSync(file);
  }
}
