import { scrypt, timingSafeEqual } from "node:crypto";
import type { Ids } from "../../values/ids.ts";
import { OwnerRefusal } from "./owner-refusal.ts";

/** Cost of a guess (scrypt): `n` and `r` determine the memory (128 n r bytes), `p` the number of passes. */
export type PasswordCost = { readonly n: number; readonly r: number; readonly p: number };

/** 32 MiB and about a third of a second: OWASP's recommendation for scrypt on a machine that also serves requests. */
export const passwordCost: PasswordCost = { n: 2 ** 15, r: 8, p: 3 };

export const passwordCharactersMin = 12;
export const passwordCharactersMax = 200;

const hashBytes = 32;
const saltDigits = 22;
const form = /^scrypt\$([0-9]{1,8})\$([0-9]{1,3})\$([0-9]{1,3})\$([0-9A-Za-z]{22})\$([0-9A-Za-z_-]{43})$/;
/** Salt for an unknown login, so that it costs the same work. */
const dummySalt = "0".repeat(saltDigits);

type PasswordVerdict = "wrong" | "right" | "right_but_old_cost";

/**
 * Checks that a password has 12 to 200 characters after normalisation (NFKC).
 * @throws {OwnerRefusal} `bad_input`.
 */
export function checkNewPassword(password: string): void {
  const characters = [...password.normalize("NFKC")].length;
  if (characters >= passwordCharactersMin && characters <= passwordCharactersMax) return;
  const takes = `${passwordCharactersMin} to ${passwordCharactersMax} characters`;
  throw new OwnerRefusal("bad_input", `A password has ${takes}; all characters are allowed.`);
}

/** Returns `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string, ids: Pick<Ids, "secret">, cost: PasswordCost): Promise<string> {
  const salt = ids.secret(saltDigits);
  const hash = await derive(password, salt, cost);
  return `scrypt$${cost.n}$${cost.r}$${cost.p}$${salt}$${hash.toString("base64url")}`;
}

/** Compares a password with a stored hash. Pass null without an account: the result is false after the same time. */
export async function verifyPassword(
  password: string,
  stored: string | null,
  cost: PasswordCost,
): Promise<PasswordVerdict> {
  if (stored === null) {
    await derive(password, dummySalt, cost);
    return "wrong";
  }
  const found = form.exec(stored);
  if (found === null) throw new Error("a stored password hash has an unknown form");
  const [, n, r, p, salt = "", hash = ""] = found;
  const storedCost = { n: Number(n), r: Number(r), p: Number(p) };
  if (!timingSafeEqual(await derive(password, salt, storedCost), Buffer.from(hash, "base64url"))) return "wrong";
  const isCurrent = storedCost.n === cost.n && storedCost.r === cost.r && storedCost.p === cost.p;
  return isCurrent ? "right" : "right_but_old_cost";
}

/** Runs on the thread pool. */
function derive(password: string, salt: string, { n, r, p }: PasswordCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: n, r, p, maxmem: 256 * n * r };
    scrypt(password.normalize("NFKC"), salt, hashBytes, options, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}

/** Returns a login as it is stored and compared. Case and Unicode encoding make no difference. */
export function normalLogin(login: string): string {
  return login.trim().normalize("NFKC").toLowerCase();
}
