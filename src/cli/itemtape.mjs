#!/usr/bin/env node
// Plain JavaScript for any Node, so that an old Node can report the required version. It starts the sources in a checkout and `dist` in a
// package.
import { accessSync, constants, existsSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

/**
 * V8 flags of a server. By default V8 marks the whole heap for every 17 MB of buffers, and an export allocates many of them. Threads call
 * the collector after memory-intensive work, because they would otherwise retain three times as much.
 */
const serverFlags = ["--heap-growing-percent=125", "--expose-gc"];
const { node } = process.versions;
const [major, minor] = node.split(".").map(Number);
if (major < 22 || major === 23 || (major === 22 && minor < 18)) {
  console.error(
    `itemtape: Node ${node} cannot run it; in a checkout use \`npm start\` or \`npx itemtape\` after \`npm ci\`, elsewhere Node 24 or newer, or 22.18 or a newer 22`,
  );
  process.exit(69);
}
process.umask(0o077);
const words = process.argv.slice(2);
if (/^(start|serve)$/.test(words[0] ?? "")) for (const flag of serverFlags) setFlagsFromString(flag);
const sources = new URL("main.ts", import.meta.url);
const isCheckout = existsSync(sources);
keepCompiled();
if (isCheckout) await import("../store/drizzle-paths.mjs");
const { main } = await import(isCheckout ? sources.href : new URL("../../dist/cli-main.js", import.meta.url).href);
process.exitCode = await main(words);

/** Caches compiled code for the next start, and for threads and processes of the program. */
function keepCompiled() {
  try {
    const given = process.env.XDG_CACHE_HOME ?? "";
    const ofUser = () => join(isAbsolute(given) ? given : join(homedir(), ".cache"), "itemtape");
    const folder = process.env.NODE_COMPILE_CACHE ?? cacheOfCheckout() ?? ofUser();
    // An empty home would put the cache into the current folder.
    if (!isAbsolute(folder)) return;
    process.env.NODE_COMPILE_CACHE = folder;
    module.enableCompileCache(folder);
  } catch {
    // The system has no home folder for this user.
  }
}

/** Returns the folder of a checkout's cache, null if this user cannot write to it. */
function cacheOfCheckout() {
  const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
  const folder = join(modules, ".cache", "itemtape");
  try {
    if (!isCheckout) return null;
    accessSync(existsSync(folder) ? folder : modules, constants.W_OK);
    return folder;
  } catch {
    return null;
  }
}
