const { join } = require("node:path");

const isNode20 = process.version.startsWith("v20.");
/** Node 20 gives a function as much work as this before it optimizes it; newer ones count otherwise, and have a compiler between. */
const budget = isNode20 ? ["interrupt-budget=600000"] : [];
/** Newer ones load TypeScript themselves where it is required, and mocha then imports it. */
const loader = isNode20 ? `require=${join(__dirname, "scripts/support/typescript.cjs")}` : "import=tsx/esm";

module.exports = {
  "node-option": [
    loader,
    "max-semi-space-size=64",
    "single-threaded-gc",
    "no-concurrent-recompilation",
    ...budget,
  ],
  extension: ["ts"],
  timeout: 180_000,
};
