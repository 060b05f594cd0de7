import { resolve } from "node:path";
import type { WantedSpan } from "../sandbox/replay/span.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { exitCodes } from "../values/failure/operator-error.ts";
import { systemIds } from "../values/ids.ts";
import { barOnTerminal } from "../values/progress.ts";
import { parseInstant, systemClock, toTimestamp } from "../values/time/clock.ts";
import { type Call, commandsOf, existingFile, json, usageError, wholeNumberFlag } from "./command.ts";
import { cannotListen, localAddress } from "./open.ts";
import { linkLines } from "./sign-in.ts";
import { signals } from "./signals.ts";

/** Fastest replay, in seconds of the market per second. */
const speedMost = 86_400;

export const sandboxCommands = commandsOf(
  ["db", "host", "port"],
  [
    {
      usage: "sandbox",
      flags: {
        json,
        "replay FROM": "play the recorded market of --db again from this instant",
        "until TO": "end of the replay (default: the last recorded change)",
        "by INSTANT": "date frames by when they were checked (default) or known",
        "speed N": "let the replay's clock run at N times the real speed",
      },
      description: "serve the examples' world, or a copy of --db, with faults",
      example: "sandbox --db market.db --port 0",
      run: runSandbox,
    },
  ],
);

async function runSandbox(call: Call): Promise<number> {
  const { config } = call;
  const wanted = wantedSpan(call);
  const speed = wholeNumberFlag(call, "speed", [1, speedMost]);
  const { copiedWorld, documentedWorld } = await import("../sandbox/world.ts");
  const { startSandbox } = await import("../sandbox/sandbox.ts");
  const ids = systemIds();
  // Made before a signal has a listener, because it gives no turn in which a listener could run.
  const made = call.isGiven("db") ? null : documentedWorld(ids, barOnTerminal(process.stderr, systemClock));
  const { first, forget } = signals();
  const ending = new AbortController();
  void first.then(() => ending.abort());
  const begin = async () => {
    const world = made ?? (await copiedWorld(resolve(existingFile(config.db)), ending.signal, wanted));
    return startSandbox({ world, host: config.host, port: config.port, ids });
  };
  const sandbox = await begin().catch((error: unknown) => {
    if (ending.signal.aborted) return null;
    forget();
    throw cannotListen(error, config.host, config.port);
  });
  if (sandbox === null) return exitCodes.ok;
  print(call, sandbox, made !== null);
  if (speed !== null) sandbox.replay?.run(speed);
  const ended = await Promise.race([first, sandbox.failed.then(() => "failure" as const)]);
  await sandbox.close();
  return ended === "failure" ? exitCodes.unexpected : exitCodes.ok;
}

/** Reads the flags of a replay. Returns null without one. */
function wantedSpan(call: Call): WantedSpan | null {
  const from = instantFlag(call, "replay");
  const until = instantFlag(call, "until");
  const by = call.flag("by") ?? "checked";
  if (by !== "checked" && by !== "known") throw usageError("--by: must be checked or known");
  const stray = ["until", "by", "speed"].find((name) => call.flag(name) !== undefined);
  if (from === null && stray !== undefined) throw usageError(`--${stray}: needs --replay`);
  if (from !== null && !call.isGiven("db")) throw usageError("--replay: name the recorded market with --db");
  return from === null ? null : { from, until, by };
}

function instantFlag(call: Call, name: string): number | null {
  const text = call.flag(name);
  if (text === undefined) return null;
  const at = parseInstant(text);
  if (at === null) throw usageError(`--${name}: must be a UTC instant such as 2026-01-14T08:00:00Z, or a date`);
  if (at > systemClock.now()) throw usageError(`--${name}: is in the future`);
  return at;
}

function print(
  { config, has, out }: Call,
  { port, controlKey, keys, token, signInPath, replay }: Sandbox,
  isDemo: boolean,
): void {
  const base = localAddress(config, port);
  if (has("json")) {
    const url = signInPath === null ? null : `${base}${signInPath}`;
    out.line(JSON.stringify({ base, control_key: controlKey, keys, token, sign_in: url }));
    return;
  }
  out.line(isDemo ? "The world of the contract's examples." : `A copy of the market of ${config.db}.`);
  if (replay !== null) {
    const { from, until } = replay.span;
    out.line(`Its clock stands at ${toTimestamp(from)}; POST /sandbox/clock moves it, until ${toTimestamp(until)}.`);
  }
  out.line("");
  for (const [name, secret] of Object.entries({ ...keys, token, "control key": controlKey }))
    out.line(`  ${name.padEnd(11)}  ${secret}`);
  out.line("");
  if (signInPath !== null) for (const line of [...linkLines(`${base}${signInPath}`), ""]) out.line(line);
  out.line(`Itemtape listens on ${base}, a sandbox with its control API below /sandbox/ (stop with Ctrl+C)`);
}
