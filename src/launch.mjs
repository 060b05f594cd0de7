import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { Script, constants as vmConstants } from "node:vm";
import { threadId } from "node:worker_threads";
import { crc32 } from "node:zlib";

// A package holds the program translated, in `generated/build`. In a checkout it is translated when a source has changed, and kept.
// Beside each translated file lies what V8 made of it, which saves most of the time of a start.
const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, "node_modules", ".cache", "itemtape");
const keptMs = 60 * 60 * 1000;
/** A server is started by now, and nothing else has to wait for the disk. */
const compiledMs = 3000;
/** A server that made the demo world first is started by now. */
const compiledAllMs = 30_000;
const checksumBytes = 8;
/** Bytes of compiled code that say which V8 and flags it is for: V8 refuses all other code. */
const compiledForBytes = 16;
/**
 * Share of the living objects by which V8 lets the heap of a server grow before it marks all of it. V8 counts the bytes of buffers as
 * well, and exports take many: at its own small share it marked the heap for every 17 MB of them, which was three quarters of what an
 * export cost. It is set before the program is loaded, because V8 refuses what it compiled under other flags.
 */
const heapGrowthPercent = 300;

/**
 * Loads a source file that is an entry of the translation, by its path from the root of the checkout or package. `purpose`: programs
 * that do the same compile the same functions.
 */
export async function importSource(path, purpose) {
  if (purpose === "server") {
    setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
    // For threads that have done something that takes much memory: by themselves they would keep three times of what they use.
    setFlagsFromString("--expose-gc");
  }
  if (!existsSync(join(root, path))) return load(join(root, "generated", "build"), path, purpose);
  const folder = join(cache, stampOf());
  if (existsSync(folder) || (await translate(folder))) return load(folder, path, purpose);
  return loadUnkept(path);
}

function load(folder, path, purpose) {
  const file = join(folder, path.replace(/\.ts$/, ".cjs"));
  const compiledFor = new Script("0").createCachedData().subarray(0, compiledForBytes).toString("hex");
  const settings = [process.version, process.arch, compiledFor, ...process.execArgv, process.env.NODE_OPTIONS];
  const compiled = `${file}.${purpose}-${createHash("sha256").update(settings.join(" ")).digest("hex").slice(0, 16)}`;
  const source = readFileSync(file);
  const cachedData = readCompiled(compiled, source);
  // Most translations are plain ASCII, which is read faster. Patterns and tagged templates keep other signs as they are.
  const script = new Script(source.toString(isAscii(source) ? "latin1" : "utf8"), {
    filename: file,
    cachedData,
    importModuleDynamically: vmConstants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined || script.cachedDataRejected) keepCompiled(script, compiled, source);
  const module = { exports: {} };
  const require = createRequire(join(root, "package.json"));
  script.runInThisContext()(module.exports, require, module, pathToFileURL(root).href);
  return module.exports;
}

/**
 * Reads what V8 made of `source`; undefined: there is nothing that can be used. V8 runs damaged data as it is, and of the source it
 * compares the length alone, so the file ends with the checksums of both.
 */
function readCompiled(path, source) {
  try {
    accessSync(path, constants.R_OK);
    const kept = readFileSync(path);
    const data = kept.subarray(0, -checksumBytes);
    return checksumsOf(source, data).equals(kept.subarray(-checksumBytes)) ? data : undefined;
  } catch {
    return undefined;
  }
}

function checksumsOf(source, data) {
  const checksums = Buffer.alloc(checksumBytes);
  checksums.writeUInt32LE(crc32(source), 0);
  checksums.writeUInt32LE(crc32(data), 4);
  return checksums;
}

/** Lets every user read a translation, as the sources may be read: the program makes its own files for their owner alone. */
function openToAll(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath ?? entry.path, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}

/** Keeps the functions that this process has compiled, for the next one. A folder that cannot be written to keeps nothing. */
function keepCompiled(script, compiled, source) {
  const keep = () => {
    try {
      const draft = `${compiled}.${process.pid}-${threadId}`;
      const data = script.createCachedData();
      writeFileSync(draft, Buffer.concat([data, checksumsOf(source, data)]));
      renameSync(draft, compiled);
    } catch {
      // The next start compiles again.
    }
  };
  process.on("exit", keep);
  for (const ms of [compiledMs, compiledAllMs]) setTimeout(keep, ms).unref();
}

/** Changes with the name, size or time of any source file, and with what translates and runs them. */
function stampOf() {
  const hash = createHash("sha256").update(`${root} ${readFileSync(join(root, "package.json"))}`);
  for (const folder of ["src", "db/schema", "db/postgres", "generated"]) {
    stampFolder(hash, folder);
  }
  return hash.digest("hex").slice(0, 32);
}

/** By hand, because `readdirSync` with `recursive` takes twice the time. No folder has a dot in its name. */
function stampFolder(hash, folder) {
  for (const name of readdirSync(root + folder).sort()) {
    const path = `${folder}/${name}`;
    if (!name.includes(".")) {
      if (statSync(root + path).isDirectory()) stampFolder(hash, path);
    } else if (name.endsWith(".ts") || name.endsWith(".mjs")) {
      const { size, mtimeMs } = statSync(root + path);
      hash.update(`${path} ${size} ${mtimeMs}\n`);
    }
  }
}

/** Translates a checkout into `folder`. Resolves to false where the folder cannot be made. */
async function translate(folder) {
  const draft = `${folder}.${process.pid}-${threadId}`;
  try {
    const made = mkdirSync(draft, { recursive: true });
    for (const above of [dirname(cache), cache])
      if (made !== undefined && above.startsWith(made)) chmodSync(above, 0o755);
  } catch {
    return false;
  }
  try {
    const { bundle } = await import("./bundle.mjs");
    await bundle(root, draft);
    openToAll(draft);
    renameSync(draft, folder);
  } catch (error) {
    // Another process or thread may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  forgetOld(folder);
  return true;
}

/** A checkout that cannot be written to is translated at each start. */
async function loadUnkept(path) {
  const folder = mkdtempSync(join(tmpdir(), "itemtape-"));
  try {
    const { bundle } = await import("./bundle.mjs");
    await bundle(root, folder, [path]);
    return load(folder, path, "unkept");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program that was just started from an older translation may still load the rest of it. */
function forgetOld(kept) {
  const { mtimeMs } = statSync(kept);
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    // Another process may put its draft in its place meanwhile.
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found !== undefined && mtimeMs - found.mtimeMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}
