import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";

/** A file of a package: its name within the package, and its content. */
type PackedFile = { readonly name: string; readonly content: Buffer };

const blockBytes = 512;
/** Modification time in seconds since 1970, as npm writes it into every package. The bytes therefore do not depend on the time of packing. */
const modifiedAtS = 499_162_500;
const compressionLevel = 9;
/** Bytes per compression step of about 20 ms. */
const chunkBytes = 64 * 1024;

/**
 * Packs files as an npm package: a tar archive, compressed with gzip. Equal files give equal bytes in every environment, so Node's zlib is
 * not used: its output differs between versions.
 */
export async function packTarball(files: readonly PackedFile[]): Promise<Buffer> {
  // Loaded on demand, because few servers need it.
  const { Gzip } = await import("fflate");
  const parts: Uint8Array[] = [];
  const gzip = new Gzip({ level: compressionLevel, mtime: 0 }, (part) => void parts.push(part));
  const archive = tarOf(files);
  for (let at = 0; at < archive.length; at += chunkBytes) {
    gzip.push(archive.subarray(at, at + chunkBytes), at + chunkBytes >= archive.length);
    // The server answers other requests between two steps.
    await setImmediate();
  }
  return Buffer.concat(parts);
}

function tarOf(files: readonly PackedFile[]): Buffer {
  const sorted = [...files].sort((one, other) => (one.name < other.name ? -1 : 1));
  const entries = sorted.flatMap(({ name, content }) => [
    headerOf(`package/${name}`, content.length),
    content,
    Buffer.alloc(-content.length & (blockBytes - 1)),
  ]);
  // Two empty blocks end an archive.
  return Buffer.concat([...entries, Buffer.alloc(2 * blockBytes)]);
}

/** Returns the ustar header of a regular file, with fixed owner, mode and time. */
function headerOf(path: string, bytes: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  const fields: readonly [offset: number, text: string][] = [
    [0, path],
    [100, octal(0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(bytes, 11)],
    [136, octal(modifiedAtS, 11)],
    // The checksum is computed with its own field filled with spaces.
    [148, " ".repeat(8)],
    [156, "0"],
    [257, "ustar\x0000"],
  ];
  for (const [offset, text] of fields) header.write(text, offset, "latin1");
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${octal(checksum, 6)} `, 148, "latin1");
  return header;
}
