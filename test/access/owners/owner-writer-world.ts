import { OwnerReads } from "../../../src/access/owners/owner-reads.ts";
import type { OwnerRefusal } from "../../../src/access/owners/owner-refusal.ts";
import type { OwnerWriter } from "../../../src/access/owners/owner-writer.ts";
import type { Session } from "../../../src/access/owners/sessions.ts";
import { openReader } from "../../../src/store/database.ts";
import type { World } from "../../support/world.ts";
import { goodPassword } from "../../web/dashboard/owner-world.ts";

/** Reads an owner's view of the current file. */
export function ownerReads<T>({ path }: World, work: (reads: OwnerReads) => T): T {
  const database = openReader(path);
  try {
    return work(new OwnerReads(database));
  } finally {
    database.$client.close();
  }
}

export function sessionOf(world: World, cookie: string): Session {
  const found = ownerReads(world, (reads) => reads.session(cookie, world.clock.at));
  if (found === null) throw new Error("there is no such session");
  return found;
}

/** A session of a sign-in at the writer. */
export async function enter(writer: OwnerWriter, world: World, login: string): Promise<Session> {
  return sessionOf(world, (await writer.signIn(login, goodPassword, null)).cookie);
}

export async function refusalOf(work: Promise<unknown>): Promise<OwnerRefusal> {
  try {
    await work;
  } catch (error) {
    return error as OwnerRefusal;
  }
  throw new Error("it was not refused");
}

/** Results of concurrent writes: `done`, or the code of the refusal. */
export async function outcomes(wishes: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(wishes);
  return settled.map((wish) => (wish.status === "rejected" ? String(wish.reason.code) : "done"));
}
