import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";

/** Prefix of a public key as text. The 32 bytes follow in base64url. */
const prefix = "ed25519:";
const keyFileBytesMax = 4096;
/** Signed as a prefix of the manifest, so that the signature is not valid for other data. */
const purpose = Buffer.from("itemtape market release 1\n");

/**
 * Creates a key pair and writes the private key to the new file `path`, readable by its owner only. Returns the public key as text.
 * @throws {OperatorError} when the file exists or cannot be created.
 */
export function createReleaseKey(path: string): string {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
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
  return publicKeyText(publicKey);
}

/**
 * Reads the private key in the file at `path`.
 * @throws {OperatorError} when the file is missing, is not an Ed25519 key, or is readable by other users.
 */
export function readReleaseKey(path: string): KeyObject {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    throw new OperatorError(
      `${path}: the file does not exist; \`npx itemtape release key\` makes one`,
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
    throw new OperatorError(`${path}: not an Ed25519 private key of \`npx itemtape release key\``);
  }
}

/** Formats the public part of a key: `ed25519:` and 43 base64url characters. */
export function publicKeyText(key: KeyObject): string {
  const { x } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });
  return `${prefix}${x}`;
}

/**
 * Parses a public key in the format of `publicKeyText`.
 * @throws {OperatorError} when the text is not a public key.
 */
export function parsePublicKey(text: string): KeyObject {
  try {
    if (!/^ed25519:[A-Za-z0-9_-]{43}$/.test(text)) throw new Error("it has another form");
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: text.slice(prefix.length) }, format: "jwk" });
  } catch {
    throw new OperatorError(
      "--trust: must be a public key printed by `npx itemtape release key`: `ed25519:` and 43 characters",
      exitCodes.usage,
    );
  }
}

/** Returns the signature of a manifest line, base64url. */
export function signLine(line: string, key: KeyObject): string {
  return signBytes(null, signedBytes(line), key).toString("base64url");
}

/** Returns whether `signature` (base64url) is valid for a manifest line and the public key. */
export function isSignedBy(line: string, signature: string, key: KeyObject): boolean {
  return verifyBytes(null, signedBytes(line), key, Buffer.from(signature, "base64url"));
}

function signedBytes(line: string): Buffer {
  return Buffer.concat([purpose, Buffer.from(line)]);
}
