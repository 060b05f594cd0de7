import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { playAll, type Result } from "../../src/kit/play.ts";
import { reports } from "../../src/kit/report.ts";
import { groups, readScenarios, type Scenario } from "../../src/kit/scenario.ts";
import { recordedMarket } from "../../src/sandbox/replay/recorded-market.ts";
import { exitCodes, OperatorError } from "../../src/values/failure/operator-error.ts";
import { systemIds } from "../../src/values/ids.ts";
import { fileOfProgram } from "../../src/values/root.ts";
import { type RunningSandbox, runSandbox } from "../sandbox/run.ts";
import { bySize, itLong } from "../support/size.ts";
import { mistakes } from "./mistakes.ts";

const scenarios = readScenarios();
/** Least number of scenarios of each group. */
const least = { retry: 12, transport: 12, streams: 15, lists: 8, future: 6, credentials: 4 };
const client = `"${process.execPath}" test/kit/wrong-client.ts`;
/** One scenario for each kind of verdict, suitable for a world of few items. */
const short = [
  "rate-limited-once",
  "invalid-parameter",
  "bad-gateway",
  "cut-gzip",
  "closed-before-answer",
  "export",
  "export-without-end",
  "changes-wrong-digest",
  "list-by-page",
  "unknown-value",
  "key-in-header",
  "no-key-needed",
];
const pythonPath = fileURLToPath(fileOfProgram("generated/client/"));
/** Adapters of the clients that the project ships. Each is a process of its own. */
const ownClients = {
  "the TypeScript client": { command: `"${process.execPath}" src/kit/adapters/adapter.mjs` },
  "the Python client": { command: `PYTHONPATH="${pythonPath}" python3 -B src/kit/adapters/adapter.py` },
  "the command line": { command: `"${process.execPath}" test/kit/cli-adapter.ts` },
};
const played = bySize({ short: scenarios.filter(({ name }) => short.includes(name)), long: scenarios });

describe("conformance kit", () => {
  it("has valid scenarios, enough in each group, named like their files", () => {
    const schema = JSON.parse(readFileSync(fileOfProgram("src/kit/scenario.schema.json"), "utf8")) as object;
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    for (const scenario of scenarios)
      expect(validate(scenario), `${scenario.name}: ${JSON.stringify(validate.errors)}`).to.equal(true);
    const files = readdirSync(fileOfProgram("src/kit/scenarios/")).map((name) => name.replace(/\.json$/, ""));
    expect(scenarios.map(({ name }) => name)).to.have.members(files);
    expect(new Set(scenarios.map(({ title }) => title)).size).to.equal(files.length);
    for (const group of groups)
      expect(scenarios.filter((one) => one.group === group).length, group).to.be.at.least(least[group]);
  });

  it("quotes its sources word for word", () => {
    const texts = new Map<string, string>();
    const textOf = (source: string) => {
      const text = texts.get(source) ?? readFileSync(fileOfProgram(source), "utf8").replaceAll(/\s+/g, " ");
      texts.set(source, text);
      return text;
    };
    const lost = scenarios.filter(({ holds }) => !textOf(holds.source).includes(holds.sentence));
    expect([...new Set(lost.map(({ holds }) => holds.sentence))]).to.deep.equal([]);
  });

  it("names a mistake of the wrong client for each scenario", () => {
    expect(Object.keys(mistakes)).to.have.members(scenarios.map(({ name }) => name));
  });

  describe("conformance kit with a client of its own", function () {
    this.timeout(180_000);
    let sandbox: RunningSandbox;
    let right: Result[];
    let wrong: Result[];
    before(async () => {
      sandbox = await runSandbox({ fewItems: bySize({ short: true, long: false }) });
      // The same processes play each scenario with and without a mistake.
      const again = played.map((scenario) => ({
        ...(mistakes[scenario.name] === "early" ? prolonged(scenario) : scenario),
        name: `wrong-${scenario.name}`,
      }));
      const words = played.map(({ name }) => `wrong-${name}=${mistakes[name]}`);
      const results = await play([client, ...words].join(" "), [...played, ...again]);
      right = results.slice(0, played.length);
      wrong = results.slice(played.length);
    });
    after(async () => {
      (await recorded)?.remove();
      await sandbox.close();
    });

    let recorded: ReturnType<typeof recordedMarket> | undefined;
    const startReplay = async (from: string) => {
      recorded ??= recordedMarket(sandbox.world.path, systemIds(), new AbortController().signal);
      return (await recorded).start(from);
    };
    const play = (command: string, some: readonly Scenario[] = played, { signal } = new AbortController()) =>
      playAll(some, { sandbox, command, lanes: bySize({ short: 2, long: 4 }), signal, startReplay, onResult() {} });

    it("passes a right client in all scenarios", () => {
      expect(told(right, "passed")).to.deep.equal([]);
    });

    it("fails each scenario if the client makes its mistake", () => {
      expect(told(wrong, "failed")).to.deep.equal([]);
    });

    for (const [name, { command }] of Object.entries(ownClients)) {
      itLong(`passes ${name} in all scenarios`, async () => {
        expect(told(await play(command), "passed")).to.deep.equal([]);
      });
    }

    it("reports a client that exits, writes garbage or lacks a call", async () => {
      const [scenario] = played;
      const resultOf = async (command: string) => {
        const [{ verdict, reasons, stderr }] = (await play(command, [scenario!])) as [Result];
        return { verdict, reason: reasons[0] ?? null, stderr };
      };
      expect(await resultOf("echo no >&2; exit 3")).to.deep.equal({
        verdict: "failed",
        reason: "the client ended with code 3 before its answer",
        stderr: "no\n",
      });
      const refused = await play("echo no >&2; exit 3").catch((error: OperatorError) => error);
      expect(refused).to.be.instanceOf(OperatorError).and.include({ exitCode: exitCodes.usage });
      expect((refused as OperatorError).message).to.match(/^--client: the client ended with code 3 .*\nno$/);
      expect((await resultOf("cat")).reason).to.match(/^the client wrote a line that is not its answer: \{"id":/);
      const mark = "\ufeff";
      const refuses = `sed -u 's/^{"id":\\("[^"]*"\\).*/${mark}{"id":\\1,"unsupported":true}/'`;
      expect(await resultOf(refuses)).to.deep.equal({ verdict: "not_offered", reason: null, stderr: "" });
    });

    it("ends at once if it is stopped before a client starts", async () => {
      const stop = new AbortController();
      // A run that waits for the reply would last longer than the test may.
      const run = play("cat > /dev/null", played.slice(0, 1).map(prolonged), stop).catch((error: unknown) => error);
      stop.abort(new Error("stopped"));
      expect(await run).to.have.property("message", "stopped");
    });

    it("reports results as a table, as JSON and as JUnit", () => {
      const [passed, failed] = [right[0]!, wrong[0]!];
      const results = [passed, { ...failed, stderr: 'at "x" <y> & z\u0007\n' }];
      const { name, title, holds } = passed.scenario;
      expect(reports.table!(results).split("\n")).to.include.members([
        `  FAIL         wrong-${name}  ${title}`,
        `      - ${failed.reasons[0]}`,
        `      ${holds.source}: "${holds.sentence}"`,
        "1 passed, 1 failed, 0 not offered",
      ]);
      const json = JSON.parse(reports.json!(results)) as { failed: number; scenarios: { name: string }[] };
      expect(json.failed).to.equal(1);
      expect(json.scenarios.map((one) => one.name)).to.deep.equal([name, `wrong-${name}`]);
      const junit = reports.junit!(results);
      expect(junit).to.include('<testsuites name="itemtape kit" tests="2" failures="1" skipped="0">');
      expect(junit).to.include("<system-err>at &quot;x&quot; &lt;y&gt; &amp; z\ufffd\n</system-err>");
    });
  });
});

/** Returns a scenario with waits and a deadline so long that no delay of a busy machine counts as a wait. */
function prolonged({ script = [], call, wire, ...rest }: Scenario): Scenario {
  const factor = 60;
  const waiting = (step: unknown) => {
    const seconds = (step as { retry_after?: number }).retry_after;
    return typeof seconds === "number" ? { ...(step as object), retry_after: factor * seconds } : step;
  };
  return {
    ...rest,
    script: script.map(waiting),
    call: { ...call, deadline_ms: factor * (call.deadline_ms ?? 10_000) },
    wire: {
      ...wire,
      ...(wire.not_before_s && { not_before_s: wire.not_before_s.map((seconds) => factor * seconds) }),
    },
  };
}

/** Returns the scenarios with another verdict, with the reasons. */
function told(results: readonly Result[], verdict: Result["verdict"]): string[] {
  return results
    .filter((result) => result.verdict !== verdict)
    .map(({ scenario, reasons, stderr }) => [scenario.name, ...reasons, stderr].join("\n"));
}
