import { readSync, writeSync } from "node:fs";
import { windowPages } from "../store/file/market-image.ts";
import { runsOf } from "../values/runs.ts";
import { type Chunk, type Manifest, pagesOf, sha256Of } from "./manifest.ts";

/** Pages of a file by number, from 0. */
export type Pages = ReadonlyMap<number, Buffer>;

const allBits = 0xffff_ffff;

/** Returns pages of a file in sequence. Null if the file is shorter, or the disk cannot read them. */
function readPages(file: number, size: number, pages: readonly number[]): Buffer | null {
  const bytes = Buffer.allocUnsafe(pages.length * size);
  try {
    const isRead = ({ index, first, count }: ReturnType<typeof runsOf>[number]) =>
      readSync(file, bytes, index * size, count * size, first * size) === count * size;
    return runsOf(pages).every(isRead) ? bytes : null;
  } catch {
    return null;
  }
}

/** Returns the pages of a chunk from a file, with `own` in place of its own pages. Null if the file has other contents there. */
export function chunkIn(file: number, { page_bytes: size }: Manifest, chunk: Chunk, own: Pages): Buffer | null {
  const pages = pagesOf(chunk);
  const bytes = readPages(file, size, pages);
  if (bytes === null) return null;
  for (const [index, page] of pages.entries()) own.get(page)?.copy(bytes, index * size);
  return sha256Of(bytes) === chunk[0] ? bytes : null;
}

/** Writes the pages that differ from the file. Returns the written bytes. */
export function writePages(file: number, size: number, pages: readonly number[], bytes: Buffer): number {
  const before = readPages(file, size, pages);
  const at = (index: number) => [index * size, (index + 1) * size] as const;
  const changed = pages.filter((_, index) => {
    const [start, end] = at(index);
    return before === null || before.compare(bytes, start, end, start, end) !== 0;
  });
  for (const { first, count } of runsOf(changed)) {
    const start = pages.indexOf(first) * size;
    for (let done = 0; done < count * size; ) {
      done += writeSync(file, bytes, start + done, count * size - done, first * size + done);
    }
  }
  return changed.length * size;
}

/**
 * Zeroes the pages outside the chunks of `manifest`. `before` is the release that the file held; pass null for unknown contents. Returns the
 * written bytes.
 */
export function clearOthers(file: number, manifest: Manifest, before: Manifest | null): number {
  const { page_bytes: size, bytes } = manifest;
  const pages = bytes / size;
  const used = usedBits(manifest);
  const windows = Array.from({ length: Math.ceil(pages / windowPages) }, (_, window): [number, number] => [
    window,
    allBits,
  ]);
  let written = 0;
  for (const [window, bits] of before === null ? windows : usedBits(before)) {
    const gone = (bits & ~(used.get(window) ?? 0)) >>> 0;
    const others = pagesOf(["", 0, window, gone]).filter((page) => page < pages);
    written += writePages(file, size, others, Buffer.alloc(others.length * size));
  }
  return written;
}

/** Returns the pages of all chunks as bits, by window. */
function usedBits({ chunks }: Manifest): Map<number, number> {
  const used = new Map<number, number>();
  for (const [, , window, bits] of chunks) used.set(window, ((used.get(window) ?? 0) | bits) >>> 0);
  return used;
}
