// Loaded into a program with `--require`. Reads the settings of each connection of each thread when it is closed, or when the thread ends.
// Writes them to the file CONNECTIONS_FILE, one line of JSON each.
const { appendFileSync, readFileSync } = require("node:fs");
const { registerHooks, syncBuiltinESMExports } = require("node:module");
const { basename } = require("node:path");
const threads = require("node:worker_threads");

const asked = process.env.CONNECTIONS_ASK.split(" ");
const open = new Set();
let count = 0;

followIntoThreads();
observe();
process.on("exit", () => open.forEach(tell));

/** A thread does not get the flags of its process. */
function followIntoThreads() {
  threads.Worker = class extends threads.Worker {
    constructor(url, options) {
      super(url, { ...options, execArgv: [...options.execArgv, "--require", __filename] });
    }
  };
  syncBuiltinESMExports();
}

/** Replaces the binding and records the connections that it makes. */
function observe() {
  globalThis.observedBinding = (Binding) =>
    new Proxy(Binding, {
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
  registerHooks({
    load(url, context, next) {
      if (!url.endsWith("/better-sqlite3/lib/index.js")) return next(url, context);
      const source = `${readFileSync(new URL(url))}\nmodule.exports = observedBinding(module.exports);`;
      return { format: "commonjs", source, shortCircuit: true };
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
