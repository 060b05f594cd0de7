import { type KeyObject, sign as signBytes } from "node:crypto";
import { dirname, join } from "node:path";
import {
  Metadata,
  MetadataKind,
  MetaFile,
  Root,
  Signature,
  Snapshot,
  TargetFile,
  Targets,
  Timestamp,
} from "@tufjs/models";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import type { Expiries } from "../values/release-status.ts";
import { dayMs, hourMs } from "../values/time/calendar.ts";
import { datasetTarget, type ReleaseFolder, timestampName } from "./folder.ts";
import { sha256Of } from "./manifest.ts";
import { ReleaseRefusal } from "./refusal.ts";
import { keyIdOf, online, type RootJson } from "./root.ts";

/** Target path of the newest manifest. Its file is `manifests/SHA256.release.json`. */
export const manifestTarget = "manifests/release.json";
const specVersion = "1.0.31";
const rootName = (version: number) => `metadata/${version}.root.json`;
/** Validity of new metadata, ms. */
const validMs = { root: 730 * dayMs, long: 90 * dayMs, timestamp: 3 * dayMs };
/** Age at which metadata without a change is signed again, ms. */
const renewMs = { long: 7 * dayMs, timestamp: hourMs };
/** Versions of snapshot and targets to keep for readers that have read an older timestamp. */
const versionsKept = 24;

type Signable = Root | Timestamp | Snapshot | Targets;
/**
 * A published root: the ids of root keys, of which `threshold` sign each later root, and of the online key. `trust` is the text for
 * `--trust`: version and SHA-256 of the root file.
 */
export type RootFacts = { version: number; threshold: number; rootKeys: string[]; onlineKey: string; trust: string };

/**
 * Publishes the next root of a folder, made by `change` and signed with `keys`. Without a root it is root 1. Removes a timestamp that the
 * new root does not accept, so that readers look for the root at once.
 * @throws {OperatorError} when the keys do not reach the threshold of the old and of the new root.
 */
export async function publishRoot(
  folder: ReleaseFolder,
  change: (root: RootJson) => void,
  { keys, now }: { keys: readonly KeyObject[]; now: number },
): Promise<RootFacts & Expiries> {
  const current = hasRoot(folder) ? newestRoot(folder) : null;
  const roles = Object.fromEntries(["root", ...online].map((role) => [role, { keyids: [], threshold: 1 }]));
  const empty = { version: 0, keys: {}, roles };
  const json = structuredClone((current?.signed.toJSON() ?? empty) as unknown as RootJson);
  change(json);
  const fixed = { _type: "root", spec_version: specVersion, consistent_snapshot: true };
  const times = { version: json.version + 1, expires: timeText(now + validMs.root) };
  const root = new Metadata(Root.fromJSON({ ...fixed, ...times, keys: json.keys, roles: json.roles }));
  folder.create();
  for (const key of keys) sign(root, key);
  for (const by of [current, root]) {
    const { keyIDs, threshold } = by?.signed.roles.root ?? { keyIDs: [], threshold: 0 };
    const signed = keyIDs.filter((id) => root.signatures[id] !== undefined).length;
    if (signed >= threshold) continue;
    const reason = `root ${by!.signed.version} needs ${threshold} of its ${keyIDs.length} root keys, and ${signed} signed`;
    throw new OperatorError(`${folder.path}: ${reason}; name more files with --root-key`, exitCodes.denied);
  }
  await folder.put(rootName(times.version), textOf(root));
  if (readOnline(folder, root, "timestamp") === null) folder.remove(timestampName);
  await folder.sync(["metadata"]);
  return rootFacts(folder);
}

/** Describes the newest root of a folder. */
export function rootFacts(folder: ReleaseFolder): RootFacts & Expiries {
  const root = newestRoot(folder);
  const { version, roles } = root.signed;
  const { keyIDs, threshold } = roles.root!;
  const trust = `root:${version}:${sha256Of(folder.content(rootName(version))!)}`;
  const keys = { rootKeys: keyIDs, onlineKey: roles.timestamp!.keyIDs[0]! };
  return { version, threshold, ...keys, trust, ...expiriesOf(folder, root) };
}

/** Returns whether a folder has a root. */
export function hasRoot(folder: ReleaseFolder): boolean {
  return rootVersions(folder).length > 0;
}

function rootVersions(folder: ReleaseFolder): number[] {
  const versions = folder.names("metadata").map((name) => /^(\d{1,9})\.root\.json$/.exec(name)?.[1]);
  return versions
    .flatMap((version) => version ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

/**
 * Returns the newest root of a publisher's folder. Each root must be signed by the root before.
 * @throws {OperatorError} when the folder has no root.
 */
function newestRoot(folder: ReleaseFolder): Metadata<Root> {
  let newest: Metadata<Root> | null = null;
  for (const version of rootVersions(folder)) {
    if (newest !== null && version !== newest.signed.version + 1) break;
    const root = parse(MetadataKind.Root, folder.content(rootName(version))) as Metadata<Root> | null;
    try {
      if (root?.signed.version !== version) throw new Error("it has another version");
      for (const by of [newest, root]) by?.verifyDelegate("root", root);
    } catch (error) {
      const reason = `${folder.path}/${rootName(version)} is not a root (${(error as Error).message})`;
      throw new ReleaseRefusal("forged", reason);
    }
    newest = root;
  }
  if (newest !== null) return newest;
  const fix = "`npx itemtape release root init` makes one";
  throw new OperatorError(`${folder.path}: the folder has no root; ${fix}`, exitCodes.noInput);
}

/** @throws {ReleaseRefusal} `other_key` unless `key` is the online key of the newest root. */
export function refuseOtherKey(folder: ReleaseFolder, key: KeyObject): void {
  const { version, onlineKey } = rootFacts(folder);
  if (keyIdOf(key) === onlineKey) return;
  throw new ReleaseRefusal("other_key", `root ${version} in ${folder.path} names another online key`);
}

/**
 * Refuses an old online key of a folder as its next one: a thief would sign again. The newest root's key passes until it has signed, so
 * that an interrupted rotation can be repeated.
 * @throws {OperatorError} when a root has named `key`, which is in the file `path`.
 */
export function refuseUsedKey(folder: ReleaseFolder, key: KeyObject, path: string): void {
  const unsigned = readOnline(folder, newestRoot(folder), "timestamp") === null;
  const used = rootVersions(folder).slice(0, unsigned ? -1 : undefined);
  const names = (version: number) =>
    (parse(MetadataKind.Root, folder.content(rootName(version))) as Metadata<Root> | null)?.signed.roles.timestamp;
  if (!used.some((version) => names(version)?.keyIDs.includes(keyIdOf(key)))) return;
  throw new OperatorError(
    `${folder.path}: ${path} is or was its online key; name a new file with --key`,
    exitCodes.cannotCreate,
  );
}

/** Returns the SHA-256 of the newest manifest that the folder's metadata names. Null if they are missing or not signed by the root. */
export function namedManifest(folder: ReleaseFolder): string | null {
  const targets = readOnline(folder, newestRoot(folder), "targets") as Metadata<Targets> | null;
  return targets?.signed.targets[manifestTarget]?.hashes.sha256 ?? null;
}

/**
 * Signs targets, snapshot and timestamp of a folder, as far as the targets have changed or the metadata are old. Each version is the time in
 * seconds, or the next number: a folder that was restored from a copy then continues above all versions that readers know.
 * @throws {ReleaseRefusal} `forged` when no version is left, because another process has signed with this key.
 */
export async function signTargets(
  folder: ReleaseFolder,
  manifest: { sha256: string; bytes: number },
  { key, now }: { key: KeyObject; now: number },
): Promise<Expiries> {
  const root = newestRoot(folder);
  const wanted = await targetsOf(folder, manifest);
  const old = Object.fromEntries(online.map((role) => [role, readOnline(folder, root, role)]));
  const fresh = (role: string, kind: keyof typeof renewMs) => {
    const at = Date.parse(old[role]?.signed.expires ?? "") - validMs[kind];
    return at <= now && now < at + renewMs[kind];
  };
  const next = (role: string) => ({
    specVersion,
    version: nextVersion(old[role], now),
    expires: timeText(now + validMs.long),
  });
  let [snapshot, targets] = [old.snapshot as Metadata<Snapshot> | null, old.targets as Metadata<Targets> | null];
  const isKept =
    JSON.stringify(targets?.signed.toJSON().targets) ===
    JSON.stringify(new Targets({ ...next("targets"), targets: wanted }).toJSON().targets);
  if (!isKept || snapshot === null || !fresh("targets", "long") || !fresh("snapshot", "long")) {
    targets = sign(new Metadata(new Targets({ ...next("targets"), targets: wanted })), key);
    const meta = { "targets.json": metaFile(targets) };
    snapshot = sign(new Metadata(new Snapshot({ ...next("snapshot"), meta })), key);
    await folder.put(`metadata/${targets.signed.version}.targets.json`, textOf(targets));
    await folder.put(`metadata/${snapshot.signed.version}.snapshot.json`, textOf(snapshot));
    await folder.sync(["metadata"]);
  } else if (fresh("timestamp", "timestamp")) return expiriesOf(folder, root);
  const expires = timeText(now + validMs.timestamp);
  const timestamp = new Timestamp({ ...next("timestamp"), expires, snapshotMeta: metaFile(snapshot) });
  await folder.put(timestampName, textOf(sign(new Metadata(timestamp), key)));
  await folder.sync(["metadata"]);
  for (const one of [targets!, snapshot]) removeOtherVersions(folder, one);
  removeOldIndexes(folder, [old.targets as Metadata<Targets> | null, targets]);
  return expiriesOf(folder, root);
}

async function targetsOf(folder: ReleaseFolder, manifest: { sha256: string; bytes: number }) {
  const target = (path: string, sha256: string, length: number): [string, TargetFile] => [
    path,
    new TargetFile({ path, length, hashes: { sha256 } }),
  ];
  const targets = [target(manifestTarget, manifest.sha256, manifest.bytes)];
  const index = folder.content(datasetTarget);
  if (index !== null) {
    const sha256 = sha256Of(index);
    // Readers fetch a target by the name with its digest, so that caches never mix two versions.
    const name = datasetTarget.replace("index", `${sha256}.index`);
    if (folder.bytesOf(name) !== index.length) await folder.put(name, index);
    targets.push(target(datasetTarget, sha256, index.length));
  }
  return Object.fromEntries(targets);
}

/** Returns metadata of an online role, or null if they are missing, damaged, or not signed by the root's online key. */
function readOnline(folder: ReleaseFolder, root: Metadata<Root>, role: (typeof online)[number]) {
  const of = (kind: MetadataKind, name: string) => {
    const found = parse(kind, folder.content(name));
    try {
      if (found !== null) root.verifyDelegate(kind, found);
      return found;
    } catch {
      return null;
    }
  };
  const timestamp = of(MetadataKind.Timestamp, timestampName) as Metadata<Timestamp> | null;
  if (role === "timestamp" || timestamp === null) return timestamp;
  const version = timestamp.signed.snapshotMeta.version;
  const snapshot = of(MetadataKind.Snapshot, `metadata/${version}.snapshot.json`) as Metadata<Snapshot> | null;
  if (role === "snapshot" || snapshot === null) return snapshot;
  const meta = snapshot.signed.meta["targets.json"];
  return meta === undefined ? null : of(MetadataKind.Targets, `metadata/${meta.version}.targets.json`);
}

function expiriesOf(folder: ReleaseFolder, root: Metadata<Root>): Expiries {
  const rootExpiresAt = Date.parse(root.signed.expires);
  const ends = online.map((role) => Date.parse(readOnline(folder, root, role)?.signed.expires ?? "") || 0);
  return { expiresAt: Math.min(rootExpiresAt, ...ends), rootExpiresAt };
}

function nextVersion(old: Metadata<Signable> | null | undefined, now: number): number {
  const version = Math.max((old?.signed.version ?? 0) + 1, Math.floor(now / 1000));
  if (Number.isSafeInteger(version)) return version;
  throw new ReleaseRefusal(
    "forged",
    "no version is left: another process signs with this key; replace it by `release root rotate`",
  );
}

/** Removes versions that no reader needs any more, and versions beyond the current one, which another key has signed. */
function removeOtherVersions(folder: ReleaseFolder, { signed }: Metadata<Signable>): void {
  const versions = folder.names("metadata").flatMap((name) => {
    const [, version, of] = /^(\d+)\.(targets|snapshot)\.json$/.exec(name) ?? [];
    return of === signed.type ? Number(version) : [];
  });
  const kept = versions.filter((version) => version <= signed.version).sort((one, other) => other - one);
  for (const version of versions)
    if (!kept.slice(0, versionsKept).includes(version)) folder.remove(`metadata/${version}.${signed.type}.json`);
}

/** Removes the copies of a dataset's index that neither the current targets nor those before name. */
function removeOldIndexes(folder: ReleaseFolder, named: readonly (Metadata<Targets> | null)[]): void {
  const kept = named.flatMap((one) => one?.signed.targets[datasetTarget]?.hashes.sha256 ?? []);
  for (const name of folder.names(dirname(datasetTarget)))
    if (/^[0-9a-f]{64}\.index\.json$/.test(name) && !kept.includes(name.slice(0, 64)))
      folder.remove(join(dirname(datasetTarget), name));
}

function metaFile(metadata: Metadata<Signable>): MetaFile {
  const text = textOf(metadata);
  return new MetaFile({ version: metadata.signed.version, length: text.length, hashes: { sha256: sha256Of(text) } });
}

function sign<T extends Signable>(metadata: Metadata<T>, key: KeyObject): Metadata<T> {
  const keyID = keyIdOf(key);
  metadata.sign((bytes) => new Signature({ keyID, sig: signBytes(null, bytes, key).toString("hex") }));
  return metadata;
}

function parse(kind: MetadataKind, bytes: Buffer | null): Metadata<Signable> | null {
  try {
    return bytes === null
      ? null
      : (Metadata.fromJSON(kind as MetadataKind.Root, JSON.parse(bytes.toString())) as Metadata<Signable>);
  } catch {
    return null;
  }
}

function textOf(metadata: Metadata<Signable>): string {
  return `${JSON.stringify(metadata.toJSON())}\n`;
}

/** Times of metadata have no fraction of a second. */
function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
