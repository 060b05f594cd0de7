import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../contract/document.ts";

/** An error of the compiler. `file` is relative to the folder, empty without a file. `line` counts from 1, null without a place. */
export type CompileFault = { file: string; line: number | null; message: string };

const options = {
  target: "ES2023",
  lib: ["ES2023", "DOM", "DOM.Iterable"],
  module: "ESNext",
  moduleResolution: "Bundler",
  types: ["node"],
  typeRoots: [join(repositoryRoot, "node_modules/@types")],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};
const compiler = join(repositoryRoot, "node_modules/typescript-native/bin/tsc");
const outputBytesMax = 64 * 1024 * 1024;
/** First line of a compiler's message. Its further lines are indented. */
const faultLine = /^(?:(\S[^(\n]*)\((\d+),\d+\): )?error TS\d+: (.*)$/;

/**
 * Compiles `entry` and all its imports, strictly. `looseFiles`: files of the SDK that do not compile with exactOptionalPropertyTypes. If
 * there are any, everything is compiled without that option.
 *
 * @throws {Error} when the compiler cannot be run.
 */
export function compile(folder: string, entry: string): { faults: CompileFault[]; looseFiles: string[] } {
  const exact = faultsOf(folder, entry, options);
  const isOwn = (file: string) => file !== "" && file !== entry && !file.includes("node_modules/");
  const looseFiles = [...new Set(exact.map(({ file }) => file))].filter(isOwn);
  const faults =
    looseFiles.length === 0 ? exact : faultsOf(folder, entry, { ...options, exactOptionalPropertyTypes: false });
  return { faults, looseFiles };
}

function faultsOf(folder: string, entry: string, compilerOptions: object): CompileFault[] {
  const project = join(folder, "tsconfig.json");
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [entry] }));
  const words = [compiler, "--project", project, "--pretty", "false"];
  const run = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8", maxBuffer: outputBytesMax });
  rmSync(project);
  const faults: CompileFault[] = [];
  for (const line of run.stdout.split("\n")) {
    const [, file = "", number, message = ""] = faultLine.exec(line) ?? [];
    if (message !== "") faults.push({ file, line: number === undefined ? null : Number(number), message });
    else if (line.startsWith(" ") && faults.length > 0) faults.at(-1)!.message += ` ${line.trim()}`;
  }
  if (faults.length === 0 && run.status !== 0) throw new Error(`the compiler failed: ${run.stdout}${run.stderr}`);
  return faults.map((fault) => ({ ...fault, message: fault.message.slice(0, 300) }));
}
