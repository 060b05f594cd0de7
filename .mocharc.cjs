const { join } = require("node:path");

// The sources that tests load are compiled once for all of their processes.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, "node_modules/.cache/itemtape");

module.exports = {
  "node-option": [
    "import=./src/store/drizzle-paths.mjs",
    "max-semi-space-size=64",
    "single-threaded-gc",
    "no-concurrent-recompilation",
  ],
  require: ["./test/support/whole-messages.mjs"],
  extension: ["ts"],
  timeout: 180_000,
};
