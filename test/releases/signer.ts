import { generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Metadata, MetadataKind, Signature } from "@tufjs/models";
import { manifestName, ReleaseFolder, timestampName } from "../../src/releases/folder.ts";
import { createReleaseKey } from "../../src/releases/key.ts";
import { type Manifest, manifestFileOf, sha256Of } from "../../src/releases/manifest.ts";
import { publishRoot, signTargets } from "../../src/releases/metadata.ts";
import { addRootKey, keyIdOf, type RootJson, setOnlineKey } from "../../src/releases/root.ts";
import { TestClock } from "../support/clock.ts";

/** Signed metadata as JSON, to edit. */
type SignedJson = { version: number; expires: string; [field: string]: unknown };
type Edits = Partial<Record<"targets" | "snapshot" | "timestamp", (signed: SignedJson) => void>>;

/** The folder of releases of a publisher, with its keys. */
export class Signer {
  readonly folder: string;
  /** Times of the signatures. Readers compare them with the clock of the system. */
  readonly clock = new TestClock(Date.now());
  rootKeys: KeyObject[];
  /** The online key. */
  key = newKey();
  /** The text for `--trust`. */
  trust = "";

  constructor(folder: string, rootKeys = 1) {
    this.folder = folder;
    this.rootKeys = Array.from({ length: rootKeys }, newKey);
  }

  /** Publishes root 1. `threshold` of the root keys sign each root. */
  async init(threshold = 1): Promise<void> {
    const made = await this.changeRoot((root) => {
      for (const key of this.rootKeys) addRootKey(root, key);
      root.roles.root.threshold = threshold;
      setOnlineKey(root, this.key);
    });
    this.trust = made.trust;
  }

  /** Publishes the next root. */
  changeRoot(change: (root: RootJson) => void, keys: readonly KeyObject[] = this.rootKeys) {
    return publishRoot(new ReleaseFolder(this.folder), change, { keys, now: this.clock.at });
  }

  /** Replaces the online key. */
  async rotate(): Promise<void> {
    this.key = newKey();
    await this.changeRoot((root) => setOnlineKey(root, this.key));
  }

  /** Makes `manifest` the newest one, as a process with the online key can. */
  async sign(manifest: Manifest, { key = this.key, at = this.clock.at, to = this.folder } = {}): Promise<void> {
    const folder = new ReleaseFolder(to);
    const { sha256, text } = manifestFileOf(manifest);
    await folder.put(manifestName(sha256), text);
    await signTargets(folder, { sha256, bytes: Buffer.byteLength(text) }, { key, now: at });
  }

  /** Signs edited metadata, as a thief of the online key can. Each file names the next one by its digest. */
  edit(edits: Edits, key = this.key, to = this.folder): void {
    const at = (name: string) => join(to, "metadata", name);
    const read = (name: string) => JSON.parse(readFileSync(at(name), "utf8")).signed;
    const timestamp = read("timestamp.json");
    const snapshot = read(`${timestamp.meta["snapshot.json"].version}.snapshot.json`);
    const targets = read(`${snapshot.meta["targets.json"].version}.targets.json`);
    const put = (kind: MetadataKind, signed: SignedJson, name: string) => {
      edits[kind as keyof Edits]?.(signed);
      const metadata = Metadata.fromJSON(kind as MetadataKind.Root, { signed, signatures: [] } as never);
      const keyID = keyIdOf(key);
      metadata.sign((bytes) => new Signature({ keyID, sig: signBytes(null, bytes, key).toString("hex") }));
      const text = JSON.stringify(metadata.toJSON());
      writeFileSync(at(name.replace("N", String(signed.version))), text);
      return { version: signed.version, length: text.length, hashes: { sha256: sha256Of(text) } };
    };
    for (const signed of [timestamp, snapshot, targets]) signed.version += 1;
    snapshot.meta["targets.json"] = put(MetadataKind.Targets, targets, "N.targets.json");
    timestamp.meta["snapshot.json"] = put(MetadataKind.Snapshot, snapshot, "N.snapshot.json");
    put(MetadataKind.Timestamp, timestamp, timestampName.slice("metadata/".length));
  }
}

/** Publishes root 1 of a folder and writes its online key to the new file `keyPath`. Returns the text for `--trust`. */
export async function initRoot(folder: string, keyPath: string): Promise<string> {
  const signer = new Signer(folder);
  signer.key = createReleaseKey(keyPath);
  await signer.init();
  return signer.trust;
}

export function newKey(): KeyObject {
  return generateKeyPairSync("ed25519").privateKey;
}
