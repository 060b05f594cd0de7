import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { exitCodes, OperatorError } from "../../../src/values/failure/operator-error.ts";
import { displayText } from "../../../src/values/text/display-text.ts";
import {
  documentFile,
  isNode,
  type Node,
  node,
  operationsOf,
  parseDocument,
  repositoryRoot,
  walk,
} from "../document.ts";
import { pointed } from "./reference.ts";

/** A document with the name by which reports call it. */
export type Source = { name: string; document: Node };

const standardInput = "/dev/stdin";
const textBytesMax = 64 * 1024 * 1024;

/** Reads openapi.yaml of the working tree. */
export function readWorkingTree(): Source {
  return { name: "the working tree", document: parsed(documentFile, readText(`${repositoryRoot}${documentFile}`)) };
}

/** Reads the YAML or JSON file or pipe of this name; where there is none, openapi.yaml of the git revision of this name. */
export function readSource(name: string): Source {
  if (name === standardInput || (existsSync(name) && !statSync(name).isDirectory())) {
    const title = name.startsWith("/dev/") ? name : basename(name);
    return { name: displayText(title), document: parsed(name, readText(name)) };
  }
  const isFileName = /^\.{0,2}\/|\.(ya?ml|json)$/i.test(name) && !name.includes(":");
  if (isFileName) {
    throw noInput(name, "there is no such file; give a git revision or a file that exists");
  }
  return { name: displayText(name), document: parsed(`${name}:${documentFile}`, readRevision(name)) };
}

function readText(file: string): string {
  try {
    // By its number: by its name a socket cannot be opened.
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
    throw noInput(revision, `git knows no such revision; ${fix}`);
  }
  const text = git(["show", `${commit.trim()}:${documentFile}`]);
  if (text !== null) return text;
  const fix = `give a later one (git log --oneline -- ${documentFile} lists them)`;
  throw noInput(revision, `has no ${documentFile}; ${fix}`);
}

function noInput(name: string, why: string): OperatorError {
  return new OperatorError(`${displayText(name)}: ${why}`, exitCodes.noInput);
}

/** Returns the output of git, or null when it refuses. */
function git(args: string[]): string | null {
  const run = spawnSync("git", args, { cwd: repositoryRoot, encoding: "utf8", maxBuffer: textBytesMax });
  if (run.error !== undefined) throw noInput("git", `${run.error.message}; install it or give two files`);
  return run.status === 0 ? run.stdout : null;
}

function parsed(name: string, text: string): Node {
  let document: Node;
  try {
    document = parseDocument(text);
  } catch (error) {
    const [line = ""] = (error as Error).message.split("\n");
    throw new OperatorError(`${displayText(name)}: is neither YAML nor JSON: ${displayText(line)}`);
  }
  const fault = faultOf(document);
  if (fault !== null) throw new OperatorError(`${displayText(name)}: ${displayText(fault)}`);
  return document;
}

/** Returns the reason why a mapping is no OpenAPI document that can be compared, or null. */
function faultOf(document: Node): string | null {
  if (holdsItself(document)) return "holds itself: a YAML anchor stands within what it names";
  if (!/^3\.\d+\.\d+/.test(String(document.openapi)))
    return "is no OpenAPI 3 document: `openapi: 3.1.0` is missing at its root";
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

/** A YAML anchor may stand within what it names; nothing that follows such a document ends. */
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
    if (!found.$ref.startsWith("#")) fault = `${at}: $ref ${found.$ref} leads out of the document; bundle it first`;
    else if (!isReal(document, found.$ref)) fault = `${at}: $ref ${found.$ref} leads nowhere`;
  });
  return fault;
}

/** Follows chains of references, which must end somewhere. */
function isReal(document: Node, reference: string): boolean {
  const seen = new Set<string>();
  for (let next: unknown = reference; typeof next === "string"; next = node(pointed(document, next)).$ref) {
    if (seen.has(next) || pointed(document, next) === undefined) return false;
    seen.add(next);
  }
  return true;
}
