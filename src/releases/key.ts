import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";

const keyFileBytesMax = 4096;

/**
 * Creates a key pair and writes the private key to the new file `path`, readable by its owner only. Returns the private key.
 * @throws {OperatorError} when the file exists or cannot be created.
 */
export function createReleaseKey(path: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ed25519");
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "the file exists; a key is never replaced" : `the file cannot be created (${code})`;
    throw new OperatorError(`${path}: ${why}; name another`, exitCodes.cannotCreate);
  }
  try {
    writeSync(file, privateKey.export({ type: "pkcs8", format: "pem" }) as string);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return privateKey;
}

/**
 * Reads the private key in the file at `path`.
 * @throws {OperatorError} when the file is missing, is not an Ed25519 key, or is readable by other users.
 */
export function readReleaseKey(path: string): KeyObject {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    throw new OperatorError(
      `${path}: the file does not exist; name another, or replace a lost key by \`npx itemtape release root\``,
      exitCodes.noInput,
    );
  }
  if (process.platform !== "win32" && (stat.mode & 0o077) !== 0) {
    throw new OperatorError(`${path}: other users may read the key; run \`chmod 600\` on it`, exitCodes.denied);
  }
  try {
    if (!stat.isFile() || stat.size > keyFileBytesMax) throw new Error("it is not a key");
    const key = createPrivateKey(readFileSync(path));
    if (key.asymmetricKeyType !== "ed25519") throw new Error("it is of another kind");
    return key;
  } catch {
    throw new OperatorError(`${path}: not an Ed25519 private key of \`npx itemtape release root\``);
  }
}

/** Returns the 32 bytes of the public part of a key in hexadecimal. */
export function publicKeyHex(key: KeyObject): string {
  const { x } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });
  return Buffer.from(x!, "base64url").toString("hex");
}
