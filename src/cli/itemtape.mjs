#!/usr/bin/env node
import { createRequire } from "node:module";

const { node, napi } = process.versions;
const [major, minor, patch] = node.split(".").map(Number);
// By what a Node can do: with an older Node-API the SQLite binding ends the process without a word, and Node 20 has a binding of its own.
const hasBinding = Number(napi) >= 10 || (major === 20 && (minor > 20 || (minor === 20 && patch >= 2)));
if (!hasBinding) {
  console.error(
    `itemtape: Node ${node} cannot run it; it needs 20.20.2 or a newer 20, 22.14 or a newer 22, or 24 or newer`,
  );
  process.exit(69);
}
process.umask(0o077);
const { importSource } = createRequire(import.meta.url)("../launch.cjs");
const words = process.argv.slice(2);
const { main } = await importSource("src/cli/main.ts", /^(start|serve)$/.test(words[0] ?? "") ? "server" : "command");
process.exitCode = await main(words);
