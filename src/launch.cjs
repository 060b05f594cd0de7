// CommonJS, because Node then loads nothing of its loader of ES modules, which each thread would do anew.
const { createHash } = require("node:crypto");
const {
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
} = require("node:fs");
const { createRequire } = require("node:module");
const { tmpdir } = require("node:os");
const { dirname, join, sep } = require("node:path");
const { pathToFileURL } = require("node:url");
const { setFlagsFromString } = require("node:v8");
const { Script, constants: vmConstants } = require("node:vm");
const { getEnvironmentData, setEnvironmentData, threadId } = require("node:worker_threads");
const { crc32 } = require("node:zlib");

// A package holds the program translated, in `generated/build`. In a checkout it is translated when a source has changed, and kept.
// Beside each translated file lies what V8 made of it, which saves most of the time of a start.
const root = dirname(__dirname) + sep;
const cache = join(root, "node_modules", ".cache", "itemtape");
const keptMs = 60 * 60 * 1000;
/** A server is started by now, and nothing else has to wait for the disk. */
const compiledMs = 3000;
/** A server that made the demo world first is started by now. */
const compiledAllMs = 30_000;
const checksumBytes = 8;
/** Tells threads the folder of the translation that their program is from: they look at no source as long as it is there. */
const translationKey = "itemtape translation";
/** Bytes of compiled code that say which V8 and flags it is for: V8 refuses all other code. */
const compiledForBytes = 16;
/**
 * Flags of V8 in a server. Its heap grows by that share of the living objects before V8 marks all of it: V8 counts the bytes of buffers as
 * well, and exports take many. At its own small share it marked the heap for every 17 MB of them, which was three quarters of what an
 * export cost. The collector is for threads that have done something that takes much memory: by themselves they would keep three times of
 * what they use. Set before the program is loaded, because V8 refuses what it compiled under other flags.
 */
const serverFlags = ["--heap-growing-percent=300", "--expose-gc"];
exports.serverFlags = serverFlags;

/**
 * Loads a source file that is an entry of the translation, by its path from the root of the checkout or package. `purpose`: programs
 * that do the same compile the same functions.
 */
exports.importSource = async function importSource(path, purpose) {
  if (purpose === "server") for (const flag of serverFlags) setFlagsFromString(flag);
  const known = getEnvironmentData(translationKey);
  const folder = existsSync(known ?? "") ? known : await translationOf(path);
  if (folder === null) return loadUnkept(path);
  setEnvironmentData(translationKey, folder);
  return load(folder, path, purpose);
};

/** Resolves to the folder of the translation, which is made where it is missing; null: this checkout cannot be written to. */
async function translationOf(path) {
  if (!existsSync(join(root, path))) return join(root, "generated", "build");
  const folder = join(cache, stampOf());
  return existsSync(folder) || (await translate(folder)) ? folder : null;
}

function load(folder, path, purpose) {
  const file = join(folder, path.replace(/\.ts$/, ".cjs"));
  const compiledFor = new Script("0").createCachedData().subarray(0, compiledForBytes).toString("hex");
  const settings = [process.version, process.arch, compiledFor, ...process.execArgv, process.env.NODE_OPTIONS];
  const compiled = `${file}.${purpose}-${createHash("sha256").update(settings.join(" ")).digest("hex").slice(0, 16)}`;
  const source = readFileSync(file);
  const cachedData = readCompiled(compiled, source);
  // It is plain ASCII, which is read fastest so.
  const script = new Script(source.toString("latin1"), {
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
  const lines = [`${root} ${readFileSync(join(root, "package.json"))}`];
  for (const folder of ["src", "db/schema", "db/postgres", "generated"]) listFolder(folder, lines);
  return createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 32);
}

/** By hand, because `readdirSync` with `recursive` takes twice the time. No folder has a dot in its name. */
function listFolder(folder, lines) {
  for (const name of readdirSync(root + folder).sort()) {
    const path = `${folder}/${name}`;
    if (!name.includes(".")) {
      if (statSync(root + path).isDirectory()) listFolder(path, lines);
    } else if (/\.([cm]js|ts)$/.test(name)) {
      const { size, mtimeMs } = statSync(root + path);
      lines.push(`${path} ${size} ${mtimeMs}`);
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
