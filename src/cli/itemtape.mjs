#!/usr/bin/env node
const [major, minor, patch] = process.versions.node.split(".").map(Number);
const isOld20 = major === 20 && (minor < 20 || (minor === 20 && patch < 2));
// The SQLite binding for Node 20 aborts the process under Node 24.
if ((major !== 20 && major !== 22) || isOld20) {
  console.error(`itemtape: Node ${process.versions.node} cannot run it; it needs 20.20.2 or a newer 20, or 22`);
  process.exit(69);
}
process.umask(0o077);
const { importSource } = await import("../launch.mjs");
const { main } = await importSource("src/cli/main.ts");
process.exitCode = await main(process.argv.slice(2));
