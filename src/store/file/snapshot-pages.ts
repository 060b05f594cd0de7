import { closeSync, openSync, readSync } from "node:fs";
import type SqliteDatabase from "better-sqlite3";
import { beginRead, closeDatabase, type Database, openReader } from "../database.ts";
import { StoreRefusal } from "./refusal.ts";

/** Sizes and offsets in the log and in its index, from the documentation of SQLite's log format. */
const logHeaderBytes = 32;
const frameHeaderBytes = 24;
const headerBytes = 48;
const framesWord = 4;
const writtenWord = 24;

/**
 * The raw pages of a database file in one read transaction, beside writers and checkpoints. Only the last connection of a process to the
 * file may be open here: POSIX drops all locks of a process on a file when it closes any descriptor of the file.
 */
export class SnapshotPages {
  readonly pageBytes: number;
  readonly #path: string;
  readonly #database: Database;
  readonly #files: number[] = [];
  /** Offset in the log of each page that the snapshot has there. */
  readonly #inLog = new Map<number, number>();

  /** @throws {StoreRefusal} when the file cannot be read. */
  constructor(path: string) {
    this.#path = path;
    this.#database = openReader(path);
    try {
      const { client } = this;
      this.pageBytes = client.pragma("page_size", { simple: true }) as number;
      const hasLog = client.pragma("journal_mode", { simple: true }) === "wal";
      const suffixes = hasLog ? ["", "-wal", "-shm"] : [""];
      for (const suffix of suffixes) this.#files.push(openSync(client.name + suffix, "r"));
      const frames = this.#begin();
      for (let frame = 0; frame < frames; frame += 1) this.#addFrame(frame);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The connection that reads the same snapshot. It is bare, because Drizzle does not know SQLite's own tables. */
  get client(): SqliteDatabase.Database {
    return this.#database.$client;
  }

  /**
   * Reads consecutive pages from page `first` (from 1) into `bytes`.
   * @throws {StoreRefusal} `corrupt` when a page is missing.
   */
  read(first: number, bytes: Buffer): void {
    const { pageBytes } = this;
    const [file, log] = this.#files;
    const inFile = readSync(file!, bytes, 0, bytes.length, (first - 1) * pageBytes);
    for (let at = 0; at < bytes.length; at += pageBytes) {
      const number = first + at / pageBytes;
      const place = this.#inLog.get(number);
      const isRead =
        place === undefined ? at + pageBytes <= inFile : readSync(log!, bytes, at, pageBytes, place) === pageBytes;
      if (!isRead) throw new StoreRefusal("corrupt", this.#path, `page ${number} is missing`);
    }
  }

  /** Ends the transaction. Runs `afterwards` between the connection and the descriptors of the file. */
  close(afterwards = () => {}): void {
    closeDatabase(this.#database);
    afterwards();
    for (const file of this.#files.splice(0)) closeSync(file);
  }

  /**
   * Begins the transaction. Returns the number of the log's frames in its snapshot, or 0 if all of them are in the file. Until it ends, no
   * checkpoint writes a later frame to the file, and no writer overwrites these frames.
   */
  #begin(): number {
    // Not built by Drizzle: the statement only begins the snapshot.
    const touch = this.client.prepare("SELECT count(*) FROM sqlite_schema");
    for (;;) {
      const before = this.#indexHeader();
      const end = beginRead(this.#database);
      touch.get();
      if (before === null) return 0;
      const isWhole = before.compare(before, 0, headerBytes, headerBytes, 2 * headerBytes) === 0;
      // Without any change of the index meanwhile, the transaction sees this state of it.
      if (isWhole && before.equals(this.#indexHeader()!)) {
        // Unlike all other files of SQLite, the index has numbers in the machine's own order.
        const words = new Uint32Array(before.buffer, before.byteOffset, before.length / 4);
        const frames = words[framesWord]!;
        return words[writtenWord] === frames ? 0 : frames;
      }
      end();
    }
  }

  /** Returns both headers of the log's index, and its number of checkpointed frames. Null without a log. */
  #indexHeader(): Buffer | null {
    const [, , file] = this.#files;
    if (file === undefined) return null;
    const header = Buffer.alloc(2 * headerBytes + 4);
    readSync(file, header, 0, header.length, 0);
    return header;
  }

  #addFrame(frame: number): void {
    const header = Buffer.alloc(4);
    const at = logHeaderBytes + frame * (frameHeaderBytes + this.pageBytes);
    readSync(this.#files[1]!, header, 0, header.length, at);
    this.#inLog.set(header.readUInt32BE(), at + frameHeaderBytes);
  }
}
