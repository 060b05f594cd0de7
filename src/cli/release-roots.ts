// The commands of the root of releases, apart from the commands of releases because an operator runs them a few times a year.

import type { KeyObject } from "node:crypto";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RootFacts } from "../releases/metadata.ts";
import type { RootJson } from "../releases/root.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { systemIds } from "../values/ids.ts";
import type { Expiries } from "../values/release-status.ts";
import { systemClock, toTimestamp } from "../values/time/clock.ts";
import { roundAge } from "../values/time/time-text.ts";
import { type Call, commandsOf, json, noSettings, required, usageError, wholeNumberFlag } from "./command.ts";
import { pathOf } from "./open.ts";
import { printResult } from "./print.ts";

const keysMax = 16;
const keepAll = 999_999;
const toFlag = { "to FOLDER": "folder of releases" };
const signFlags = {
  ...toFlag,
  "root-key FILE...": "private root key; repeat it to reach the threshold",
};
const thresholdFlag = { "threshold K": "root keys that sign the next root" };

export const rootCommands = commandsOf(noSettings, [
  {
    usage: "release root init",
    flags: {
      ...toFlag,
      "keys FOLDER": "folder for the new private keys",
      "threshold K": "root keys that sign each root (default: 1)",
      "root-keys N": "root keys to make (default: 1, or one more than --threshold)",
      json,
    },
    description: "make root and online keys, and print the text for --trust",
    example: "release root init --to /srv/releases --keys keys",
    run: init,
  },
  {
    usage: "release root show",
    flags: { ...toFlag, "keys FOLDER...": "folder of private keys, to name the file of each key", json },
    description: "print the newest root, its keys and their files, and when signatures expire",
    example: "release root show --to /srv/releases --keys keys",
    run: show,
  },
  {
    usage: "release root rotate",
    flags: { ...signFlags, "key FILE": "file of the next online key, made if missing", json },
    settings: ["db"],
    description: "replace the online key; the old one signs nothing any more",
    example: "release root rotate --to /srv/releases --root-key keys/root-1.pem --key keys/online-2.pem",
    run: rotate,
  },
  {
    usage: "release root add FILE",
    flags: { ...signFlags, ...thresholdFlag, json },
    description: "add the root key in FILE, which is made if missing",
    example: "release root add keys/root-2.pem --to /srv/releases --root-key keys/root-1.pem",
    run: add,
  },
  {
    usage: "release root revoke ID",
    flags: { ...signFlags, ...thresholdFlag, json },
    description: "remove a root key; ID is the beginning of its id",
    example: "release root revoke 3fa4b2c1 --to /srv/releases --root-key keys/root-2.pem",
    run: revoke,
  },
  {
    usage: "release root renew",
    flags: { ...signFlags, ...thresholdFlag, json },
    description: "sign the root again for two years",
    example: "release root renew --to /srv/releases --root-key keys/root-1.pem",
    run: (call) => change(call, () => {}),
  },
]);

async function init(call: Call): Promise<void> {
  const { createReleaseKey } = await import("../releases/key.ts");
  const { hasRoot, publishRoot } = await import("../releases/metadata.ts");
  const { addRootKey, setOnlineKey } = await import("../releases/root.ts");
  const folder = await folderOf(call);
  const threshold = wholeNumberFlag(call, "threshold", [1, keysMax]) ?? 1;
  const count = wholeNumberFlag(call, "root-keys", [1, keysMax]) ?? (threshold === 1 ? 1 : threshold + 1);
  if (count < threshold) throw usageError("--root-keys: must be at least --threshold");
  const place = required(call, "keys", "the folder for the keys");
  if (hasRoot(folder))
    throw new OperatorError(`${folder.path}: it has a root; name another folder`, exitCodes.cannotCreate);
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${place}: the folder cannot be created (${code}); name another`, exitCodes.cannotCreate);
  }
  folder.create();
  const online = createReleaseKey(join(place, "online.pem"));
  const keys = Array.from({ length: count }, (_, index) => createReleaseKey(join(place, `root-${index + 1}.pem`)));
  const made = await publishRoot(
    folder,
    (root) => {
      for (const key of keys) addRootKey(root, key);
      root.roles.root.threshold = threshold;
      setOnlineKey(root, online);
    },
    { keys, now: systemClock.now() },
  );
  printRoot(call, made, [`${threshold} of ${count} root keys, and the online key, are in ${place}`]);
}

async function show(call: Call): Promise<void> {
  const { rootFacts } = await import("../releases/metadata.ts");
  const facts = rootFacts(await folderOf(call));
  const { version, threshold, rootKeys, onlineKey } = facts;
  const folders = call.flags("keys");
  const files = await keyFiles(folders);
  const missing = folders.length === 0 ? "" : `: no file in ${folders.join(", ")}`;
  const placeOf = (id: string) => `${id}${files.has(id) ? ` in ${files.get(id)}` : missing}`;
  const others = [...files].filter(([id]) => ![...rootKeys, onlineKey].includes(id));
  printRoot(
    call,
    facts,
    [
      `root ${version}: ${threshold} of ${rootKeys.length} root keys sign the next; ${endText(facts.rootExpiresAt, "it expires", "it expired")}`,
      ...rootKeys.map((id) => `root key ${placeOf(id)}`),
      `online key ${placeOf(onlineKey)}`,
      facts.expiresAt === 0
        ? "no release is signed"
        : endText(facts.expiresAt, "the releases expire", "the releases expired"),
      ...others.map(([, file]) => `${file}: root ${version} does not name its key`),
    ],
    { key_files: Object.fromEntries(files) },
  );
}

function endText(at: number, expires: string, expired: string): string {
  const leftMs = at - systemClock.now();
  return leftMs <= 0 ? `${expired} at ${toTimestamp(at)}` : `${expires} at ${toTimestamp(at)}, in ${roundAge(leftMs)}`;
}

/** Finds the private keys in folders. Returns their files by key id. Other files are ignored. */
async function keyFiles(folders: readonly string[]): Promise<Map<string, string>> {
  const { readReleaseKey } = await import("../releases/key.ts");
  const { keyIdOf } = await import("../releases/root.ts");
  const files = new Map<string, string>();
  for (const path of folders.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)))) {
    try {
      files.set(keyIdOf(readReleaseKey(path)), path);
    } catch (error) {
      // Another kind of file is not named, a key that other users may read is.
      if ((error as OperatorError).exitCode === exitCodes.denied) throw error;
    }
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${folder}: the folder cannot be read (${code}); name another`, exitCodes.noInput);
  }
}

async function rotate(call: Call): Promise<void> {
  const { refuseUsedKey } = await import("../releases/metadata.ts");
  const { setOnlineKey } = await import("../releases/root.ts");
  const path = required(call, "key", "a new file for the online key");
  const key = await ownKey(path);
  refuseUsedKey(await folderOf(call), key, path);
  const databasePath = await pathOf(call);
  const afterwards = async (folder: string) => {
    const { sealedStatePath, sealRelease } = await import("../releases/seal.ts");
    if (!existsSync(sealedStatePath(databasePath)))
      return `seal with ${path} at once: readers have no newer release until then`;
    const order = { databasePath, folder, key, retention: { count: keepAll, hours: keepAll }, signsOnly: true };
    const newLineage = () => systemIds().handle("rel_");
    await sealRelease(order, { clock: systemClock, newLineage, signal: new AbortController().signal });
    return `the newest release is signed; start the publisher with ${path}`;
  };
  await change(call, (root) => setOnlineKey(root, key), { afterwards });
}

async function add(call: Call): Promise<void> {
  const { addRootKey } = await import("../releases/root.ts");
  const key = await ownKey(call.operands[0]!);
  await change(call, (root) => addRootKey(root, key), { more: [key] });
}

async function revoke(call: Call): Promise<void> {
  const { removeRootKey } = await import("../releases/root.ts");
  await change(call, (root) => removeRootKey(root, call.operands[0]!));
}

/** Returns the private key in a file, which is made if it is missing. */
async function ownKey(path: string) {
  const { createReleaseKey, readReleaseKey } = await import("../releases/key.ts");
  return existsSync(path) ? readReleaseKey(path) : createReleaseKey(path);
}

/**
 * Publishes the next root, made by `edit` and signed with each `--root-key` and `more` keys. `afterwards` returns a line for the operator.
 */
async function change(
  call: Call,
  edit: (root: RootJson) => void,
  { more = [], afterwards }: { more?: KeyObject[]; afterwards?: (folder: string) => Promise<string> } = {},
): Promise<void> {
  const { readReleaseKey } = await import("../releases/key.ts");
  const { publishRoot, rootFacts } = await import("../releases/metadata.ts");
  const folder = await folderOf(call);
  const keys = [...call.flags("root-key").map(readReleaseKey), ...more];
  const threshold = wholeNumberFlag(call, "threshold", [1, keysMax]);
  // A folder without a root is refused.
  rootFacts(folder);
  const made = await publishRoot(
    folder,
    (root) => {
      edit(root);
      if (threshold !== null) root.roles.root.threshold = threshold;
    },
    { keys, now: systemClock.now() },
  );
  const note = await afterwards?.(folder.path);
  printRoot(call, rootFacts(folder), [
    `root ${made.version} is published; it expires at ${toTimestamp(made.rootExpiresAt)}`,
    ...(note === undefined ? [] : [note]),
  ]);
}

async function folderOf(call: Call) {
  const { ReleaseFolder } = await import("../releases/folder.ts");
  return new ReleaseFolder(required(call, "to", "the folder of releases"));
}

function printRoot(call: Call, facts: RootFacts & Expiries, lines: string[], more: object = {}): void {
  const { version, threshold, rootKeys, onlineKey, trust, expiresAt, rootExpiresAt } = facts;
  const times = {
    expires_at: expiresAt === 0 ? null : toTimestamp(expiresAt),
    root_expires_at: toTimestamp(rootExpiresAt),
  };
  printResult(call, { version, threshold, root_keys: rootKeys, online_key: onlineKey, trust, ...times, ...more }, [
    trust,
    ...lines,
  ]);
}
