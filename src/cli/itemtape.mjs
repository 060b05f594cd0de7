#!/usr/bin/env node
const [major, minor, patch] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && (minor < 20 || (minor === 20 && patch < 2)))) {
  console.error(`itemtape: Node ${process.versions.node} is too old; it needs 20.20.2 or newer`);
  process.exit(69);
}
process.umask(0o077);
const { importSource } = await import("../launch.mjs");
const { main } = await importSource("src/cli/main.ts");
process.exitCode = await main(process.argv.slice(2));
