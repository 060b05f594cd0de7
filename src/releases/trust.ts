import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { LengthOrHashMismatchError, UnsignedMetadataError } from "@tufjs/models/dist/error.js";
import { BadVersionError, EqualVersionError, ExpiredMetadataError } from "tuf-js/dist/error.js";
import { TrustedMetadataStore } from "tuf-js/dist/store.js";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import type { Expiries } from "../values/release-status.ts";
import { toTimestamp } from "../values/time/clock.ts";
import { manifestName, syncFolder, timestampName, writeWhole } from "./folder.ts";
import { type ManifestFile, manifestBytesMax, readManifest, sha256Of } from "./manifest.ts";
import { manifestTarget } from "./metadata.ts";
import { ReleaseRefusal } from "./refusal.ts";
import type { ReleaseSource } from "./source.ts";

/** The text of `--trust`: version and SHA-256 of a root file. */
export type Trust = { version: number; sha256: string };
/** The newest manifest of a source, verified. */
type TrustedManifest = ManifestFile & Expiries;

type Role = (typeof roles)[number];
const roles = ["root", "timestamp", "snapshot", "targets"] as const;
/** Bounds of a file of metadata in bytes. */
const bytesMax = { root: 512_000, timestamp: 16_384, snapshot: 2_000_000, targets: 5_000_000 };
/** New roots that one run accepts. The next run continues. */
const rotationsMax = 256;
/** File of the `--trust` with which the memory began. */
const anchorName = "anchor";
/** Content of the files of trusted metadata, by role, and of the anchor. */
type Memory = Map<Role | typeof anchorName, Buffer>;

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
    return expiriesIn(remembered(trustStatePath(path)));
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
  const memory = state === null ? (new Map() satisfies Memory) : remembered(state);
  await anchor(source, trust, memory);
  const target = await new Walk(source, memory).newest(manifestTarget).finally(() => {
    if (state !== null) keep(memory, state);
  });
  const name = manifestName(target.sha256);
  if (target.bytes > manifestBytesMax)
    throw new ReleaseRefusal("too_large", `${name} has ${target.bytes} bytes, more than ${manifestBytesMax}`);
  const bytes = await source.read(name, target.bytes);
  if (bytes === null) throw new ReleaseRefusal("missing", `${source.name} has no ${name}`);
  return { ...readManifest(bytes, `${source.name}: ${name}`, target.sha256), ...expiriesIn(memory) };
}

/**
 * Returns the SHA-256 that a source's metadata name for the target `path`. Remembers nothing.
 * @throws {ReleaseRefusal} like `readNewest`.
 */
export async function readTarget(source: ReleaseSource, trust: Trust, path: string): Promise<string> {
  const memory: Memory = new Map();
  await anchor(source, trust, memory);
  return (await new Walk(source, memory).newest(path)).sha256;
}

/** Begins with the root of `--trust`. Another `--trust` than before replaces the remembered root only. */
async function anchor(source: ReleaseSource, { version, sha256 }: Trust, memory: Memory): Promise<void> {
  const text = Buffer.from(`${JSON.stringify({ version, sha256 })}\n`);
  if (memory.has("root") && memory.get(anchorName)?.equals(text)) return;
  const name = `metadata/${version}.root.json`;
  const root = await source.read(name, bytesMax.root);
  if (root === null) throw new ReleaseRefusal("missing", `${source.name} has no ${name}`);
  if (sha256Of(root) !== sha256) throw new ReleaseRefusal("forged", `${source.name}: ${name} differs from --trust`);
  memory.set("root", root);
  memory.set(anchorName, text);
}

/** Reads newer metadata of a source in the order of the framework. Every accepted file replaces its predecessor in `memory`. */
class Walk {
  readonly #source: ReleaseSource;
  readonly #memory: Memory;
  readonly #trusted: TrustedMetadataStore;

  constructor(source: ReleaseSource, memory: Memory) {
    this.#source = source;
    this.#memory = memory;
    try {
      this.#trusted = new TrustedMetadataStore(memory.get("root")!);
    } catch (error) {
      const reason = `the trusted root of ${source.name} is not a root (${(error as Error).message})`;
      throw new ReleaseRefusal("malformed", reason);
    }
  }

  /** Returns digest and size of a target that the newest metadata name. */
  async newest(path: string): Promise<{ sha256: string; bytes: number }> {
    const trusted = this.#trusted;
    for (let count = 0; count < rotationsMax; count += 1) {
      const name = `metadata/${trusted.root.signed.version + 1}.root.json`;
      const bytes = await this.#source.read(name, bytesMax.root);
      if (bytes === null) break;
      this.#accept("root", name, bytes, () => trusted.updateRoot(bytes));
    }
    await this.#read("timestamp", timestampName, (bytes) => trusted.updateTimestamp(bytes));
    const snapshot = trusted.timestamp!.signed.snapshotMeta;
    await this.#read(
      "snapshot",
      `metadata/${snapshot.version}.snapshot.json`,
      (bytes, isKnown) => trusted.updateSnapshot(bytes, isKnown),
      snapshot.length,
    );
    // The client refuses a snapshot without it.
    const targets = trusted.snapshot!.signed.meta["targets.json"];
    await this.#read(
      "targets",
      `metadata/${targets?.version}.targets.json`,
      (bytes) => trusted.updateDelegatedTargets(bytes, "targets", "root"),
      targets?.length,
    );
    const target = trusted.targets!.signed.targets[path];
    const sha256 = target?.hashes.sha256 ?? "";
    if (target !== undefined && /^[0-9a-f]{64}$/.test(sha256)) return { sha256, bytes: target.length };
    throw new ReleaseRefusal("missing", `the targets of ${this.#source.name} name no ${path}`);
  }

  /** Updates a role from `memory`, or from the source if that is not the newest. Only the source has a newer timestamp. */
  async #read(
    role: Role,
    name: string,
    update: (bytes: Buffer, isKnown: boolean) => void,
    length: number = bytesMax[role],
  ): Promise<void> {
    const known = this.#memory.get(role);
    try {
      if (known !== undefined) update(known, true);
      if (known !== undefined && role !== "timestamp") return;
    } catch {
      // Even an old one bounds the versions of the next.
    }
    const bytes = await this.#source.read(name, Math.min(length, bytesMax[role]));
    if (bytes === null) throw new ReleaseRefusal("missing", `${this.#source.name} has no ${name}`);
    this.#accept(role, name, bytes, () => update(bytes, false));
  }

  #accept(role: Role, name: string, bytes: Buffer, update: () => void): void {
    try {
      if (Number.isNaN(expiryOf(bytes))) throw new Error("its expiry is not a time");
      update();
      this.#memory.set(role, bytes);
    } catch (error) {
      if (!(error instanceof EqualVersionError)) throw this.#refusalOf(error as Error, name, bytes);
    }
  }

  #refusalOf(error: Error, name: string, bytes: Buffer): ReleaseRefusal {
    const file = `${this.#source.name}: ${name}`;
    const { root, timestamp, snapshot } = this.#trusted;
    if (error instanceof UnsignedMetadataError)
      return new ReleaseRefusal("forged", `${file} is not signed by the keys of root ${root.signed.version}`);
    if (error instanceof BadVersionError)
      return new ReleaseRefusal("rollback", `${file} does not continue the versions that were seen before`);
    if (error instanceof LengthOrHashMismatchError || error instanceof SyntaxError)
      return new ReleaseRefusal("torn", `${file} is not the signed file`);
    if (!(error instanceof ExpiredMetadataError))
      return new ReleaseRefusal("malformed", `${file} is not valid metadata (${error.message})`);
    const ended = [root, timestamp, snapshot].find((one) => one?.signed.isExpired());
    const [role, at] =
      ended === undefined ? ["targets", expiryOf(bytes)] : [ended.signed.type, Date.parse(ended.signed.expires)];
    const fix = role === "root" ? ", and the publisher renews it by `release root renew`" : "";
    return new ReleaseRefusal("expired", `the ${role} of ${this.#source.name} expired at ${toTimestamp(at)}${fix}`);
  }
}

/** Makes the memory durable, also after a refusal: a verified root stays. Each file is whole on the disk before the next. */
function keep(memory: Memory, state: string): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  for (const role of [...roles, anchorName] as const) {
    const bytes = memory.get(role);
    const path = join(state, `${role}.json`);
    if (bytes === undefined || (existsSync(path) && readFileSync(path).equals(bytes))) continue;
    writeWhole(`${path}.part`, bytes, 0o600);
    renameSync(`${path}.part`, path);
  }
  syncFolder(state);
  syncFolder(dirname(state));
}

function expiriesIn(memory: Memory): Expiries {
  const [rootExpiresAt = 0, ...others] = roles.map((role) => expiryOf(memory.get(role)!));
  return { rootExpiresAt, expiresAt: Math.min(rootExpiresAt, ...others) };
}

function expiryOf(bytes: Buffer): number {
  return Date.parse(JSON.parse(bytes.toString()).signed?.expires ?? "");
}

/**
 * Reads the files of a folder of trusted metadata.
 * @throws {OperatorError} when one is damaged: no version may be forgotten silently.
 */
function remembered(state: string): Memory {
  const memory: Memory = new Map();
  for (const role of [...roles, anchorName] as const) {
    const path = join(state, `${role}.json`);
    try {
      if (!existsSync(path)) continue;
      memory.set(role, readFileSync(path));
      JSON.parse(memory.get(role)!.toString());
    } catch {
      const fix = "restore it from a backup, or remove the folder to begin with --trust again";
      throw new OperatorError(`${path}: the file is damaged; ${fix}`);
    }
  }
  return memory;
}
