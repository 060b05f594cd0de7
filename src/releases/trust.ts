import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Fetcher, Updater } from "tuf-js";
import { DownloadHTTPError } from "tuf-js/dist/error.js";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import type { Expiries } from "../values/release-status.ts";
import { manifestName, syncFolder, writeWhole } from "./folder.ts";
import { type ManifestFile, manifestBytesMax, readManifest, sha256Of } from "./manifest.ts";
import { manifestTarget } from "./metadata.ts";
import { ReleaseRefusal } from "./refusal.ts";
import type { ReleaseSource } from "./source.ts";

/** The text of `--trust`: version and SHA-256 of a root file. */
export type Trust = { version: number; sha256: string };
/** The newest manifest of a source, verified. */
type TrustedManifest = ManifestFile & Expiries;

/** The client resolves names against this address; the source reads them. */
const base = "https://releases.invalid/";
const rootBytesMax = 512_000;
const roles = ["root", "timestamp", "snapshot", "targets"] as const;

/**
 * Parses the text of `--trust`.
 * @throws {OperatorError} when it has another form.
 */
export function parseTrust(text: string): Trust {
  const [, version, sha256] = /^root:(\d{1,9}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (version !== undefined && sha256 !== undefined) return { version: Number(version), sha256 };
  const form = "`root:`, a version, `:` and 64 hexadecimal digits";
  throw new OperatorError(`--trust: must be the text of \`npx itemtape release root show\`: ${form}`, exitCodes.usage);
}

/** Returns the folder that remembers the newest trusted metadata for the file at `path`. */
export function trustStatePath(path: string): string {
  return `${path}-trust`;
}

/** Returns the expiries of the metadata that the file at `path` trusts. Null before the first, or if they are damaged. */
export function trustedExpiries(path: string): Expiries | null {
  try {
    return expiriesIn(trustStatePath(path));
  } catch {
    return null;
  }
}

/**
 * Reads the newest manifest that a source's metadata name. Remembers the metadata durably in the folder `state`; without a folder the
 * order of releases is not checked.
 * @throws {ReleaseRefusal} when the metadata are expired, forged, older than remembered ones, or do not match each other.
 * @throws {OperatorError} when the remembered metadata are damaged.
 */
export async function readNewest(source: ReleaseSource, trust: Trust, state: string | null): Promise<TrustedManifest> {
  const draft = state === null ? mkdtempSync(join(tmpdir(), "itemtape-trust-")) : `${state}.part`;
  try {
    await begin(source, trust, state, draft);
    const target = await refreshed(source, draft).finally(() => {
      if (state !== null) keep(draft, state);
    });
    const name = manifestName(target.sha256);
    if (target.bytes > manifestBytesMax)
      throw new ReleaseRefusal("too_large", `${name} has ${target.bytes} bytes, more than ${manifestBytesMax}`);
    const bytes = await source.read(name, target.bytes);
    if (bytes === null) throw new ReleaseRefusal("missing", `${source.name} has no ${name}`);
    return { ...readManifest(bytes, `${source.name}: ${name}`, target.sha256), ...expiriesIn(state ?? draft) };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Copies the remembered metadata to `draft`. Another `--trust` than before replaces the remembered root only. */
async function begin(source: ReleaseSource, trust: Trust, state: string | null, draft: string): Promise<void> {
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  for (const name of [...roles.map((role) => `${role}.json`), "anchor.json"]) {
    const path = join(state ?? draft, name);
    if (state === null || !existsSync(path)) continue;
    readState(path);
    writeWhole(join(draft, name), readFileSync(path), 0o600);
  }
  const anchor = join(draft, "anchor.json");
  const text = `${JSON.stringify(trust)}\n`;
  if (existsSync(join(draft, "root.json")) && existsSync(anchor) && readFileSync(anchor, "utf8") === text) return;
  const name = `metadata/${trust.version}.root.json`;
  const root = await source.read(name, rootBytesMax);
  if (root === null) throw new ReleaseRefusal("missing", `${source.name} has no ${name}`);
  if (sha256Of(root) !== trust.sha256)
    throw new ReleaseRefusal("forged", `${source.name}: ${name} differs from --trust`);
  writeWhole(join(draft, "root.json"), root, 0o600);
  writeWhole(anchor, text, 0o600);
}

/** Lets the client verify root, timestamp, snapshot and targets, in this order. Returns the named manifest. */
async function refreshed(source: ReleaseSource, draft: string): Promise<{ sha256: string; bytes: number }> {
  const fetcher = new SourceFetcher(source);
  try {
    const updater = new Updater({ metadataDir: draft, metadataBaseUrl: base, fetcher });
    await updater.refresh();
    const target = await updater.getTargetInfo(manifestTarget);
    const sha256 = target?.hashes.sha256 ?? "";
    if (target === undefined || !/^[0-9a-f]{64}$/.test(sha256))
      throw new ReleaseRefusal("missing", `the targets of ${source.name} name no ${manifestTarget}`);
    if (Number.isNaN(expiriesIn(draft).expiresAt)) throw new Error("an expiry is not a time");
    return { sha256, bytes: target.length };
  } catch (error) {
    if (fetcher.failure !== null) throw fetcher.failure;
    throw error instanceof ReleaseRefusal ? error : refusalOf(error as Error, source.name);
  }
}

/** Reads metadata for the client from a release source, with its bounds of size and speed. */
class SourceFetcher implements Fetcher {
  /** The error of the source itself, which the client would replace by a text. */
  failure: unknown = null;
  readonly #source: ReleaseSource;

  constructor(source: ReleaseSource) {
    this.#source = source;
  }

  async downloadBytes(url: string, maxLength: number): Promise<Buffer> {
    const name = `metadata/${url.slice(base.length)}`;
    try {
      const bytes = await this.#source.read(name, maxLength);
      if (bytes !== null) return bytes;
    } catch (error) {
      this.failure = error;
      throw error;
    }
    // The first missing root ends the search for newer roots.
    if (!name.endsWith(".root.json"))
      this.failure = new ReleaseRefusal("missing", `${this.#source.name} has no ${name}`);
    throw new DownloadHTTPError(`${name} is missing`, 404);
  }

  downloadFile(): Promise<never> {
    throw new Error("targets are read from the source");
  }
}

/** The client has one error for a failed snapshot or targets file, so that its text decides. */
const reasons = [
  [/expired/i, "expired"],
  [/was signed by/, "forged"],
  [/version/i, "rollback"],
  [/Expected (length|hash)|JSON/, "torn"],
] as const;

function refusalOf({ message }: Error, name: string): ReleaseRefusal {
  const kind = reasons.find(([text]) => text.test(message))?.[1] ?? "malformed";
  return new ReleaseRefusal(kind, `the signed metadata of ${name}: ${message}`);
}

/** Replaces the remembered metadata by newer ones, also after a refusal: a verified root stays. Each file is whole on the disk before the next. */
function keep(draft: string, state: string): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  for (const name of [...roles.map((role) => `${role}.json`), "anchor.json"]) {
    const [next, path] = [join(draft, name), join(state, name)];
    if (!existsSync(next)) continue;
    const bytes = readFileSync(next);
    if (existsSync(path) && readFileSync(path).equals(bytes)) continue;
    writeWhole(next, bytes, 0o600);
    renameSync(next, path);
  }
  syncFolder(state);
  syncFolder(dirname(state));
}

function expiriesIn(folder: string): Expiries {
  const [rootExpiresAt = 0, ...others] = roles.map((role) =>
    Date.parse(readState(join(folder, `${role}.json`)).signed?.expires ?? ""),
  );
  return { rootExpiresAt, expiresAt: Math.min(rootExpiresAt, ...others) };
}

/** @throws {OperatorError} when a remembered file is damaged: no version may be forgotten silently. */
function readState(path: string): { signed?: { expires?: string } } {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    const fix = "restore it from a backup, or remove the folder to begin with --trust again";
    throw new OperatorError(`${path}: the file is damaged; ${fix}`);
  }
}
