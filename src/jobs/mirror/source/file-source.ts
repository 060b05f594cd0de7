import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { secondMs } from "../../../values/time/calendar.ts";
import { type Fetched, SourceFailure, type Validator, type Watched } from "./source.ts";
import { readSourceBody, tooLarge } from "./unpack.ts";

/** A file may change twice within one tick of its timestamp. The stamp identifies only a file that is unchanged for this long. */
const restMs = 2 * secondMs;
const chunkBytes = 1024 * 1024;

type Facts = { stamp: string; bytes: number; changedAt: number };

/** Reads a plain or gzip file. Size, time and inode identify content that was read before. */
export async function readFileSource(path: string, validator: Validator | null, watched: Watched): Promise<Fetched> {
  const handle = await openFile(path);
  try {
    const before = await factsOf(handle);
    if (validator?.fileStamp === before.stamp) return { kind: "not_modified" };
    if (before.bytes > watched.bytesMax) throw tooLarge(watched.bytesMax);
    const refuseReplaced = async () => {
      if ((await factsOf(handle)).stamp === before.stamp && (await stampOf(path)) === before.stamp) return;
      throw new SourceFailure("the file was replaced while it was read");
    };
    const chunks = chunksOf(handle, before.bytes, watched);
    const body = await readSourceBody(chunks, null, watched).catch(async (error) => {
      await refuseReplaced();
      throw error;
    });
    await refuseReplaced();
    const isAtRest = watched.now() - before.changedAt >= restMs;
    return { ...body, validator: isAtRest ? fileValidator(before.stamp) : null };
  } catch (error) {
    throw error instanceof SourceFailure || watched.signal.aborted ? error : unreadable(error);
  } finally {
    await handle.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    // Non-blocking, because opening a pipe would wait for its writer.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw unreadable(error);
  }
}

async function* chunksOf(handle: FileHandle, bytes: number, { alive, signal }: Watched): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    signal.throwIfAborted();
    const chunk = Buffer.alloc(Math.min(chunkBytes, bytes - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new SourceFailure("the file was replaced while it was read");
    alive();
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

async function factsOf(handle: FileHandle): Promise<Facts> {
  const facts = await handle.stat({ bigint: true });
  if (!facts.isFile()) throw new SourceFailure("it is not a file");
  return { stamp: stampText(facts), bytes: Number(facts.size), changedAt: Number(facts.mtimeMs) };
}

async function stampOf(path: string): Promise<string | null> {
  return stat(path, { bigint: true }).then(stampText, () => null);
}

function stampText({ dev, ino, size, mtimeNs }: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint }): string {
  return `${dev}:${ino}:${size}:${mtimeNs}`;
}

function fileValidator(fileStamp: string): Validator {
  return { etag: null, lastModified: null, fileStamp };
}

function unreadable(error: unknown): SourceFailure {
  const { code } = error as NodeJS.ErrnoException;
  return new SourceFailure(code === "ENOENT" ? "the file does not exist" : `the file cannot be read (${code})`);
}
