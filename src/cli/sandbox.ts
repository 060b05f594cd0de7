import { resolve } from "node:path";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { exitCodes } from "../values/failure/operator-error.ts";
import { systemIds } from "../values/ids.ts";
import { barOnTerminal } from "../values/progress.ts";
import { systemClock } from "../values/time/clock.ts";
import { type Call, commandsOf, existingFile, json } from "./command.ts";
import { cannotListen, localAddress } from "./open.ts";
import { signals } from "./signals.ts";

export const sandboxCommands = commandsOf(
  ["db", "host", "port"],
  [
    {
      usage: "sandbox",
      flags: { json },
      description: "serve the examples' world, or a copy of --db, with faults",
      example: "sandbox --db market.db --port 0",
      run: runSandbox,
    },
  ],
);

async function runSandbox(call: Call): Promise<number> {
  const { config } = call;
  const { first, forget } = signals();
  const ending = new AbortController();
  void first.then(() => ending.abort());
  const { copiedWorld, documentedWorld } = await import("../sandbox/world.ts");
  const { startSandbox } = await import("../sandbox/sandbox.ts");
  const ids = systemIds();
  const world = call.isGiven("db")
    ? await copiedWorld(resolve(existingFile(config.db)), ending.signal).catch((error: unknown) => {
        if (ending.signal.aborted) return null;
        throw error;
      })
    : documentedWorld(ids, barOnTerminal(process.stderr, systemClock));
  if (world === null) return exitCodes.ok;
  const sandbox = await startSandbox({ world, host: config.host, port: config.port, ids }).catch((error: unknown) => {
    forget();
    throw cannotListen(error, config.host, config.port);
  });
  print(call, sandbox, world.demo !== null);
  const ended = await Promise.race([first, sandbox.failed.then(() => "failure" as const)]);
  await sandbox.close();
  return ended === "failure" ? exitCodes.unexpected : exitCodes.ok;
}

function print({ config, has, out }: Call, { port, controlKey, keys, token }: Sandbox, isDemo: boolean): void {
  const base = localAddress(config, port);
  if (has("json")) {
    out.line(JSON.stringify({ base, control_key: controlKey, keys, token }));
    return;
  }
  out.line(isDemo ? "The world of the contract's examples." : `A copy of the market of ${config.db}.`);
  out.line("");
  for (const [name, secret] of Object.entries({ ...keys, token, "control key": controlKey }))
    out.line(`  ${name.padEnd(11)}  ${secret}`);
  out.line("");
  out.line(`Itemtape listens on ${base}, a sandbox with its control API below /sandbox/ (stop with Ctrl+C)`);
}
