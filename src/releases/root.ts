import type { KeyObject } from "node:crypto";
import { OperatorError } from "../values/failure/operator-error.ts";
import { publicKeyHex } from "./key.ts";
import { sha256Of } from "./manifest.ts";

/** Roles of the online key. */
export const online = ["timestamp", "snapshot", "targets"] as const;

/** A root that a change edits. */
export type RootJson = {
  version: number;
  keys: Record<string, { keytype: string; scheme: string; keyval: { public: string } }>;
  roles: Record<"root" | (typeof online)[number], { keyids: string[]; threshold: number }>;
};

/** Returns the id of a key in the metadata. */
export function keyIdOf(key: KeyObject): string {
  const canonical = { keytype: "ed25519", keyval: { public: publicKeyHex(key) }, scheme: "ed25519" };
  return sha256Of(JSON.stringify(canonical));
}

/** Adds a root key to the next root. */
export function addRootKey(root: RootJson, key: KeyObject): void {
  root.roles.root.keyids = [...new Set([...root.roles.root.keyids, addKey(root, key)])];
}

/**
 * Removes a root key from the next root.
 * @throws {OperatorError} unless exactly one root key has an id that begins with `id`.
 */
export function removeRootKey(root: RootJson, id: string): void {
  const [found, ...others] = root.roles.root.keyids.filter((known) => known.startsWith(id));
  if (found === undefined || others.length > 0)
    throw new OperatorError(`${id}: not the id of one root key; \`npx itemtape release root show\` lists them`);
  root.roles.root.keyids = root.roles.root.keyids.filter((known) => known !== found);
  delete root.keys[found];
}

/** Replaces the key that signs timestamp, snapshot and targets: all three, because one alone does not undo a fast-forward. */
export function setOnlineKey(root: RootJson, key: KeyObject): void {
  for (const role of online) {
    for (const old of root.roles[role].keyids) delete root.keys[old];
    root.roles[role].keyids = [];
  }
  for (const role of online) root.roles[role].keyids.push(addKey(root, key));
}

function addKey(root: RootJson, key: KeyObject): string {
  const id = keyIdOf(key);
  root.keys[id] = { keytype: "ed25519", scheme: "ed25519", keyval: { public: publicKeyHex(key) } };
  return id;
}
