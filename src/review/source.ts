import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { isBuilt, root } from "../values/root.ts";
import { displayText } from "../values/text/display-text.ts";
import { contentOf, documentFile, isNode, type Node, node, operationsOf, parseWritten, walk } from "./document.ts";
import { type LineOf, linesOf } from "./lines.ts";
import { pointed } from "./reference.ts";

/** A document with its name for reports, its file for annotations, and a function for lines. */
export type Source = { name: string; file: string; isAddress: boolean; document: Node; lineOf: LineOf };

const standardInput = "/dev/stdin";
const textBytesMax = 64 * 1024 * 1024;
const waitMaxMs = 30_000;
const revisionKey = "x-itemtape-revision";
/** The single-file build is not in a checkout, so git uses the repository of the current folder. */
const repository = isBuilt ? process.cwd() : fileURLToPath(root);

/** Reads openapi.yaml from the working tree. */
export function readWorkingTree(): Source {
  const file = `${repository.replace(/\/?$/, "/")}${documentFile}`;
  return sourceOf({ name: "the working tree", file, text: readText(file) });
}

/** Reads a YAML or JSON document from a file, pipe, URL, git revision or `revision=YYYY-MM-DD`. */
export async function readSource(name: string): Promise<Source> {
  if (/^https?:\/\//i.test(name)) return sourceOf({ name, file: name, text: await download(name) });
  if (name === standardInput || (existsSync(name) && !statSync(name).isDirectory())) {
    const title = name.startsWith("/dev/") ? name : basename(name);
    return sourceOf({ name: title, file: name, text: readText(name) });
  }
  const isFileName = /^\.{0,2}\/|\.(ya?ml|json)$/i.test(name) && !name.includes(":");
  if (isFileName) {
    throw noInput(name, "the file does not exist; give a git revision or a file that exists");
  }
  const [, date] = /^revision=(.*)$/.exec(name) ?? [];
  const text = date === undefined ? readRevision(name) : readDated(name, date);
  return sourceOf({ name, file: documentFile, text });
}

async function download(address: string): Promise<string> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(waitMaxMs) });
    if (!response.ok) throw noInput(address, `answers ${response.status}`);
    return await response.text();
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { message, cause } = error as Error;
    throw noInput(address, `cannot be read (${cause instanceof Error ? cause.message : message})`);
  }
}

/** Returns the document of the last commit with this date in `info.x-itemtape-revision`. */
function readDated(name: string, date: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw noInput(name, "write the date as YYYY-MM-DD");
  const line = new RegExp(`^\\s+${revisionKey}: *["']?${date}["']?\\s*$`, "m");
  const touching =
    git(["log", "--format=%H", `-G${revisionKey}`, "--", documentFile])
      ?.trim()
      .split("\n") ?? [];
  for (const commit of touching.filter(Boolean)) {
    if (!line.test(git(["show", `${commit}:${documentFile}`]) ?? "")) continue;
    const later =
      git(["log", "--format=%H", "--reverse", `${commit}..HEAD`, "--", documentFile])
        ?.trim()
        .split("\n") ?? [];
    let text = readRevision(commit);
    for (const next of later.filter(Boolean)) {
      const written = git(["show", `${next}:${documentFile}`]) ?? "";
      if (!line.test(written)) break;
      text = written;
    }
    return text;
  }
  throw noInput(name, `no commit has a document of this ${revisionKey}`);
}

function readText(file: string): string {
  try {
    // Standard input is read by its number: a socket cannot be opened by name.
    return readFileSync(file === standardInput ? 0 : file, "utf8");
  } catch (error) {
    throw noInput(file, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function readRevision(revision: string): string {
  const commit = git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  if (commit === null) {
    const [, alone] = /^([^:]+):./.exec(revision) ?? [];
    const fix =
      alone === undefined
        ? "give a revision such as HEAD~1, a tag or a commit, or a file that exists"
        : `give the revision alone, ${displayText(alone)}, for its ${documentFile}`;
    throw noInput(revision, `unknown git revision; ${fix}`);
  }
  const text = git(["show", `${commit.trim()}:${documentFile}`]);
  if (text !== null) return text;
  const fix = `give a later one (git log --oneline -- ${documentFile} lists them)`;
  throw noInput(revision, `has no ${documentFile}; ${fix}`);
}

function noInput(name: string, why: string): OperatorError {
  return new OperatorError(`${displayText(name)}: ${why}`, exitCodes.noInput);
}

/** Returns the output of git; null if git fails. */
function git(args: string[]): string | null {
  const run = spawnSync("git", args, { cwd: repository, encoding: "utf8", maxBuffer: textBytesMax });
  if (run.error !== undefined) throw noInput("git", `${run.error.message}; install it or give two files`);
  return run.status === 0 ? run.stdout : null;
}

function sourceOf({ name, file, text }: { name: string; file: string; text: string }): Source {
  let parsed: ReturnType<typeof parseWritten>;
  let document: Node;
  try {
    parsed = parseWritten(text);
    document = contentOf(parsed.written);
  } catch (error) {
    const [line = ""] = (error as Error).message.split("\n");
    throw new OperatorError(`${displayText(name)}: is neither YAML nor JSON: ${displayText(line)}`);
  }
  const fault = faultOf(document);
  if (fault !== null) throw new OperatorError(`${displayText(name)}: ${displayText(fault)}`);
  const isAddress = /^https?:/i.test(file);
  const near = isAddress ? file : relative(process.cwd(), resolve(file));
  const shown = near.startsWith("..") ? resolve(file) : near;
  return { name: displayText(name), file: displayText(shown), isAddress, document, lineOf: linesOf(document, parsed) };
}

/** Returns the reason why a mapping is not a comparable OpenAPI document; null if it is one. */
function faultOf(document: Node): string | null {
  if (holdsItself(document)) return "holds itself: a YAML anchor stands within what it names";
  if (!/^3\.\d+\.\d+/.test(String(document.openapi)))
    return "is not an OpenAPI 3 document: `openapi: 3.1.0` is missing at its root";
  if (!isNode(document.paths)) return "has no `paths`";
  const broken = brokenReference(document);
  if (broken !== null) return broken;
  const ids = new Set<string>();
  for (const { id, method, path, node: operation } of operationsOf(document)) {
    if (operation.operationId === undefined) return `${method.toUpperCase()} ${path} has no operationId`;
    if (ids.has(id)) return `operationId ${id} is given twice`;
    ids.add(id);
  }
  return null;
}

/** Returns whether a YAML anchor contains itself, which would make every traversal infinite. */
function holdsItself(value: unknown, open = new Set<unknown>(), done = new Set<unknown>()): boolean {
  if (typeof value !== "object" || value === null || done.has(value)) return false;
  if (open.has(value)) return true;
  open.add(value);
  const found = Object.values(value).some((child) => holdsItself(child, open, done));
  open.delete(value);
  done.add(value);
  return found;
}

function brokenReference(document: Node): string | null {
  let fault: string | null = null;
  walk(document, "#", (found, at) => {
    if (typeof found.$ref !== "string" || fault !== null) return;
    if (!found.$ref.startsWith("#")) fault = `${at}: $ref ${found.$ref} points outside the document; bundle it first`;
    else if (!isReal(document, found.$ref)) fault = `${at}: $ref ${found.$ref} has no target`;
  });
  return fault;
}

/** Follows a chain of references, which must end at a value. */
function isReal(document: Node, reference: string): boolean {
  const seen = new Set<string>();
  for (let next: unknown = reference; typeof next === "string"; next = node(pointed(document, next)).$ref) {
    if (seen.has(next) || pointed(document, next) === undefined) return false;
    seen.add(next);
  }
  return true;
}
