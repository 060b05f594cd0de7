/** Node 20 gives a function as much work as this before it optimizes it; newer ones count otherwise, and have a compiler between. */
const budget = process.version.startsWith("v20.") ? ["interrupt-budget=600000"] : [];

module.exports = {
  "node-option": [
    "import=tsx/esm",
    "max-semi-space-size=64",
    "single-threaded-gc",
    "no-concurrent-recompilation",
    ...budget,
  ],
  extension: ["ts"],
  timeout: 180_000,
};
