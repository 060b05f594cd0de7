import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SampleEnding } from "../../../src/web/docs/samples/sample.ts";

/** A sample to run: its file in the folder, and the key in its environment. Null for no key. */
export type Job = { file: string; key: string | null };

/** The exit code of a sample, and its output. */
export type Ended = { code: number; out: string; err: string };

const client = fileURLToPath(new URL("../../../generated/client", import.meta.url));

/** Installs the client in `folder`, as a client team would. */
export function installPackage(folder: string): void {
  cpSync(client, join(folder, "node_modules/itemtape-client"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
}

/** Runs all samples of one language in order, in one process if possible. */
export function runSamples(ending: SampleEnding, folder: string, jobs: readonly Job[]): Promise<Ended[]> {
  if (ending === "sh") return runScripts(folder, jobs);
  if (ending === "py") return runIn("python3", ["-c", pythonRunner], folder, jobs);
  const modules = jobs.map(({ file, key }) => {
    const module = join(folder, file.replace(/\.ts$/, ".mjs"));
    cpSync(join(folder, file), module);
    return { file: module, key };
  });
  return runIn(process.execPath, ["--input-type=module", "-e", nodeRunner], folder, modules);
}

/** Makes a `curl` in the folder `watched` that notes its arguments in the file `arguments` and then does as the real one. */
export function watchCurl(folder: string): void {
  mkdirSync(join(folder, "watched"));
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" >> arguments\nPATH=\${PATH#*:} exec curl "$@"\n`;
  writeFileSync(join(folder, "watched/curl"), script, { mode: 0o755 });
}

const pythonRunner = `
import contextlib, io, json, os, runpy, sys, traceback
ends = []
for job in json.load(sys.stdin):
    os.environ.pop("ITEMTAPE_API_KEY", None)
    if job["key"] is not None:
        os.environ["ITEMTAPE_API_KEY"] = job["key"]
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_path(job["file"], run_name="__main__")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
            print(end.code, file=sys.stderr)
        except BaseException:
            code = 70
            traceback.print_exc()
    ends.append({"code": code, "out": out.getvalue(), "err": err.getvalue()})
print(json.dumps(ends))
`;

const nodeRunner = `
import { pathToFileURL } from "node:url";
let input = "";
for await (const part of process.stdin) input += part;
const print = console.log;
const ends = [];
for (const [index, { file, key }] of JSON.parse(input).entries()) {
  const end = { code: 0, out: "", err: "" };
  delete process.env.ITEMTAPE_API_KEY;
  if (key !== null) process.env.ITEMTAPE_API_KEY = key;
  process.exitCode = undefined;
  console.log = (text) => { end.out += text + "\\n"; };
  console.error = (text) => { end.err += text + "\\n"; };
  try {
    await import(pathToFileURL(file) + "?" + index);
    end.code = process.exitCode ?? 0;
  } catch (error) {
    end.code = 70;
    end.err += error.stack;
  }
  ends.push(end);
}
process.exitCode = 0;
print(JSON.stringify(ends));
`;

async function runIn(command: string, args: string[], folder: string, jobs: readonly Job[]): Promise<Ended[]> {
  const { out, err } = await finished(command, args, folder, JSON.stringify(jobs));
  if (out === "") throw new Error(err);
  return JSON.parse(out) as Ended[];
}

/** Each sample is a process of its own for a shell. */
async function runScripts(folder: string, jobs: readonly Job[]): Promise<Ended[]> {
  const lines = jobs.map(({ file, key }, index) => {
    const environment = key === null ? "-u ITEMTAPE_API_KEY" : `'ITEMTAPE_API_KEY=${key}'`;
    return `env ${environment} sh ${file} > ${index}.out 2> ${index}.err; echo $? > ${index}.code`;
  });
  await finished("sh", ["-s"], folder, lines.join("\n"));
  const text = (name: string) => readFileSync(join(folder, name), "utf8");
  return jobs.map((_, index) => ({
    code: Number(text(`${index}.code`)),
    out: text(`${index}.out`),
    err: text(`${index}.err`),
  }));
}

/** The server that the samples call lives in this process, so nothing here may block it. */
function finished(command: string, args: string[], cwd: string, input: string): Promise<{ out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: "pipe" });
    const texts = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      texts.out += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      texts.err += part;
    });
    child.once("error", reject);
    child.once("close", () => resolve(texts));
    child.stdin.end(input);
  });
}
