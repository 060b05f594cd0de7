import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { systemIds } from "../values/ids.ts";
import { progressOn } from "../values/progress.ts";
import { perhaps } from "../values/text/suggestion.ts";
import { systemClock } from "../values/time/clock.ts";
import { type Call, commandsOf, noSettings, usageError } from "./command.ts";
import { Stopped, untilStopped } from "./signals.ts";

/** Number of concurrent client processes that play scenarios. */
const lanes = 8;

export const kitCommands = commandsOf(noSettings, [
  {
    usage: "kit run",
    flags: {
      "client COMMAND": "command of the shell that starts an adapter of your client",
      "only NAME...": "play this scenario or group only; may be repeated",
      "report FORM": "table (when left out), json or junit",
    },
    description: "test a client: play faults against it, and judge its requests and answers",
    example: "kit run --client 'node adapter.mjs'",
    explain,
    run: (call) => untilStopped((signal) => runKit(call, signal)),
  },
]);

async function explain(): Promise<readonly string[]> {
  const { groups, readScenarios } = await import("../kit/scenario.ts");
  const { codesText } = await import("./get/explain.ts");
  const all = readScenarios();
  const counts = groups.map((group) => `${group} (${all.filter((one) => one.group === group).length})`);
  return [
    "",
    "The kit starts a sandbox and eight processes of COMMAND. Each gets one JSON request per line on standard input and writes one",
    "JSON answer per line on standard output:",
    '  {"id", "call", "base_url", "key", "operation", "parameters", "body", "rounds", "deadline_ms"}',
    '  {"id", "value": …} or {"id", "problem": {"code", "status"}} or {"id", "discarded": "reason"} or {"id", "unsupported": true}',
    "`call` is operation, pages, export or follow. `code` is null without a problem document. A client passes a scenario if its",
    "requests and its answer are right. src/kit/scenario.schema.json describes each member.",
    "",
    `groups: ${counts.join(", ")}`,
    "",
    ...codesText([
      [exitCodes.ok, "all scenarios passed, or are not offered"],
      [exitCodes.unexpected, "a scenario failed"],
      [exitCodes.usage, "wrong words"],
    ]),
  ];
}

async function runKit(call: Call, signal: AbortSignal): Promise<number> {
  const { readScenarios } = await import("../kit/scenario.ts");
  const { countsOf, reports } = await import("../kit/report.ts");
  const command = call.flag("client") ?? "";
  if (command.trim() === "") throw usageError("--client: name the command that starts an adapter of your client");
  const form = call.flag("report") ?? "table";
  const report = Object.hasOwn(reports, form) ? reports[form] : undefined;
  if (report === undefined) throw usageError(`--report: must be one of ${Object.keys(reports).join(", ")}`);
  const all = readScenarios();
  const wanted = call.flags("only");
  const names = [...all.map(({ name }) => name), ...all.map(({ group }) => group)];
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw usageError(`--only: unknown scenario or group \`${unknown}\`${perhaps(unknown, names)}`);
  const chosen = all.filter(
    ({ name, group }) => wanted.length === 0 || wanted.includes(name) || wanted.includes(group),
  );
  const results = await played(chosen, command, signal).catch((error: unknown) => {
    throw error instanceof Stopped ? new OperatorError(error.message, error.exitCode) : error;
  });
  call.out.line(report(results));
  return countsOf(results).failed === 0 ? exitCodes.ok : exitCodes.unexpected;
}

async function played(
  scenarios: ReturnType<typeof import("../kit/scenario.ts").readScenarios>,
  command: string,
  signal: AbortSignal,
) {
  const { documentedWorld } = await import("../sandbox/world.ts");
  const { startSandbox } = await import("../sandbox/sandbox.ts");
  const { playAll } = await import("../kit/play.ts");
  const { recordedMarket } = await import("../sandbox/replay/recorded-market.ts");
  const progress = progressOn(process.stderr, systemClock);
  const ids = systemIds();
  const world = documentedWorld(ids, progress);
  const sandbox = await startSandbox({ world, host: "127.0.0.1", port: 0, ids });
  let recorded: Awaited<ReturnType<typeof recordedMarket>> | null = null;
  try {
    if (scenarios.some(({ replay }) => replay !== undefined)) recorded = await recordedMarket(world.path, ids, signal);
    progress.phase("scenarios", scenarios.length);
    const onResult = () => progress.advance(1);
    const startReplay = (from: string) => recorded!.start(from);
    return await playAll(scenarios, { sandbox, command, lanes, signal, startReplay, onResult });
  } finally {
    progress.end();
    recorded?.remove();
    await sandbox.close();
  }
}
