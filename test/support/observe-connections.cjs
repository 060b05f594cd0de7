// Loaded into a program with `--require`: asks each connection of each of its threads for its settings when it is closed, or when the
// thread ends, and writes them to the file that CONNECTIONS_FILE names, a line of JSON each. CommonJS, as the threads are.
const { appendFileSync } = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { basename } = require("node:path");
const threads = require("node:worker_threads");

const asked = process.env.CONNECTIONS_ASK.split(" ");
const open = new Set();
let count = 0;

followIntoThreads();
for (const name of ["better-sqlite3", "sqlite-node20"]) observe(name);
process.on("exit", () => open.forEach(tell));

/** A thread does not get the flags of its process. */
function followIntoThreads() {
  threads.Worker = class extends threads.Worker {
    constructor(url, options) {
      super(url, { ...options, execArgv: ["--require", __filename] });
    }
  };
  syncBuiltinESMExports();
}

/** Puts itself into the place of the binding, whose connections it makes. */
function observe(name) {
  let Binding;
  try {
    Binding = require(name);
  } catch {
    return;
  }
  require.cache[require.resolve(name)].exports = new Proxy(Binding, {
    construct(target, [path, options = {}]) {
      const client = new target(path, options);
      const close = client.close.bind(client);
      count += 1;
      const seen = { client, file: basename(path), number: count, opened: openers() };
      open.add(seen);
      client.close = () => {
        tell(seen);
        return close();
      };
      return client;
    },
  });
}

/** Returns the functions that opened a connection, the innermost first. */
function openers() {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack } = new Error("opened here");
  Error.stackTraceLimit = stackTraceLimit;
  return [...stack.matchAll(/^ {4}at (?:async )?(?:new )?([\w.#]+) \(/gm)].map(([, name]) => name);
}

function tell(seen) {
  if (!open.delete(seen) || !seen.client.open) return;
  const { client, ...facts } = seen;
  const settings = {};
  for (const name of asked) {
    try {
      settings[name] = String(client.pragma(name, { simple: true }) ?? 0);
    } catch (error) {
      settings[name] = error.code;
    }
  }
  const thread = threads.isMainThread ? "main" : threads.workerData.entry;
  appendFileSync(process.env.CONNECTIONS_FILE, `${JSON.stringify({ thread, ...facts, settings })}\n`);
}
