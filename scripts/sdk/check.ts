import { execFile } from "node:child_process";
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Progress } from "../../src/values/progress.ts";
import type { Clock } from "../../src/values/time/clock.ts";
import type { Node } from "../contract/document.ts";
import { callerSource, refusedCall } from "./caller-source.ts";
import type { CheckReport } from "./caller-support.ts";
import { callsOf } from "./calls.ts";
import { type CompileFault, compile } from "./compile.ts";
import { type Failure, findFailures } from "./failures.ts";
import { type Generator, generatorsFolder } from "./generator.ts";
import { widened } from "./requests.ts";
import type { Subject } from "./subject.ts";

/** The result of one generator. `called`: number of `operations` called without a failure. */
export type SdkResult = {
  generator: Generator;
  operations: number;
  called: number;
  requests: number;
  /** SDK files that do not compile with exactOptionalPropertyTypes. */
  looseFiles: readonly string[];
  /** Operations with examples of only one page. Their second page was read from all rows, with limit=1. */
  widened: readonly string[];
  failures: Failure[];
  seconds: number;
};

/** `dir`: folder with a subfolder for each SDK. */
type Parts = { document: Node; subject: Subject; dir: string; clock: Clock; progress: Progress };

const stepMsMax = 180_000;
const entry = "caller.ts";
const support = fileURLToPath(new URL("./caller-support.ts", import.meta.url));

/** Generates an SDK in a temporary folder, compiles it with its caller, makes every call and checks the responses. */
export async function checkGenerator(generator: Generator, parts: Parts): Promise<SdkResult> {
  const startedMs = parts.clock.monotonicMs();
  const folder = mkdtempSync(join(parts.dir, "itemtape-sdk-"));
  try {
    const result = await checkIn(folder, generator, parts);
    return { ...result, seconds: (parts.clock.monotonicMs() - startedMs) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkIn(folder: string, generator: Generator, parts: Parts): Promise<Omit<SdkResult, "seconds">> {
  const { document, subject, progress } = parts;
  const { name } = generator;
  const calls = callsOf(document);
  const empty = { generator, operations: calls.length, called: 0, requests: 0, looseFiles: [], widened: [] };
  progress.phase(`${name}: generate`);
  const fault = await generate(folder, generator, { document, base: subject.base });
  if (fault !== null) return { ...empty, failures: [{ operationId: null, message: fault }] };
  const source = callerSource(document, calls, generator);
  writeFileSync(join(folder, entry), source.text);
  progress.phase(`${name}: compile`);
  const { faults, looseFiles } = compile(folder, entry);
  progress.phase(`${name}: call ${calls.length} operations`);
  const { reports, crash } = await runCaller(folder, subject);
  const failures = [
    ...faults.map((compileFault) => compileFailure(compileFault, source.owners)),
    ...(crash === null ? [] : [{ operationId: null, message: crash }]),
    ...findFailures(calls, refusedCall(calls).operationId, reports, subject),
  ];
  const failed = new Set(failures.map(({ operationId }) => operationId));
  return {
    ...empty,
    called: calls.filter(({ operationId }) => !failed.has(operationId)).length,
    requests: reports.reduce((sum, { exchanges }) => sum + exchanges.length, 0),
    looseFiles,
    widened: widened(calls, reports),
    failures,
  };
}

/** Generates the SDK and its caller's support files. Returns the reason for a failure, null after a success. */
export async function generate(
  folder: string,
  generator: Generator,
  { document, base }: { document: Node; base: string },
): Promise<string | null> {
  mkdirSync(join(folder, "sdk"));
  symlinkSync(join(generatorsFolder, "node_modules"), join(folder, "node_modules"));
  copyFileSync(support, join(folder, "caller-support.ts"));
  const files = {
    ...generator.files({ base }),
    "package.json": '{"type":"module"}',
    "openapi.json": JSON.stringify(document, null, 1),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const words of generator.runs) {
    const { code, stdout, stderr } = await run(folder, words, {});
    if (code !== 0) return `cannot be generated: ${`${stderr}\n${stdout}`.trim().slice(0, 600)}`;
  }
  removeNoCheck(folder);
  return null;
}

/** Removes `@ts-nocheck`, so that generated code is compiled like any other. */
function removeNoCheck(folder: string): void {
  for (const name of globSync("sdk/**/*.ts", { cwd: folder })) {
    const text = readFileSync(join(folder, name), "utf8");
    if (text.includes("@ts-nocheck")) writeFileSync(join(folder, name), text.replaceAll("@ts-nocheck", ""));
  }
}

async function runCaller(folder: string, subject: Subject): Promise<{ reports: CheckReport[]; crash: string | null }> {
  subject.nextMinute();
  const outfile = join(folder, "caller.mjs");
  const { base, keys } = subject;
  try {
    const form = { bundle: true, platform: "node", format: "esm", target: "node22" } as const;
    await build({ absWorkingDir: folder, entryPoints: [entry], outfile, logLevel: "silent", ...form });
  } catch (error) {
    return { reports: [], crash: `cannot be bundled: ${(error as Error).message.slice(0, 600)}` };
  }
  const { code, stdout, stderr } = await run(folder, [outfile], { SDK_CHECK: JSON.stringify({ base, keys }) });
  const lines = stdout.split("\n").slice(0, -1);
  const reports = lines.map((line) => JSON.parse(line) as CheckReport);
  return { reports, crash: code === 0 ? null : `its caller failed: ${stderr.trim().slice(0, 600)}` };
}

/** Turns a compile error into a failure of the operation in its line. */
function compileFailure({ file, line, message }: CompileFault, owners: readonly (string | null)[]): Failure {
  const owner = file === entry && line !== null ? (owners[line - 1] ?? null) : null;
  return { operationId: owner, message: `does not compile: ${file}:${line ?? 0}: ${message}` };
}

type Ran = { code: number; stdout: string; stderr: string };

/** Runs a module in a new Node process. Never throws: the code is 1 if it cannot be run or exceeds its time. */
async function run(cwd: string, words: readonly string[], variables: Record<string, string>): Promise<Ran> {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", ...variables };
  const limits = { timeout: stepMsMax, maxBuffer: 1 << 28 };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...words], { cwd, env, ...limits });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & Partial<Ran>;
    return { code: 1, stdout, stderr: stderr === "" ? message : stderr };
  }
}
