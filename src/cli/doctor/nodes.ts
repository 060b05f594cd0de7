// Checks of a server that is one of several nodes, apart from the general checks because they load more.

import { existsSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { type Expiries, isRootEnding } from "../../values/release-status.ts";
import { hourMs } from "../../values/time/calendar.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import { roundAge } from "../../values/time/time-text.ts";
import { privateAddress } from "../private-address.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

type PrivateSettings = Pick<Config, "privateDb" | "privateDbFile">;
type FollowSettings = Pick<Config, "follow" | "trust" | "followStaleHours"> & PrivateSettings;

/** Checks that charges in the PostgreSQL database are possible. `private check` compares its content, which is slow. */
export async function checkPrivateDatabase(config: PrivateSettings): Promise<Finding> {
  const address = privateAddress(config)!;
  const store = await import("../../store/postgres/connection.ts");
  await store.withClient(address, async (client) => {
    await store.refuseUnlessDurable(client, address);
    await store.refuseUnlessPrivate(client, address);
  });
  return ok("private", `${store.shownUrl(address)} answers, has the tables of this release and writes durably`);
}

/** Checks the settings of a server that downloads releases into the file at `path`, and the age of the current release. */
export async function checkFollow(path: string, config: FollowSettings, now: number): Promise<Finding> {
  const check = "follow";
  const { trust, followStaleHours } = config;
  if (trust === "") return failed(check, "the publisher's trusted root is missing", "name it with --trust");
  const { parseTrust, trustedExpiries } = await import("../../releases/trust.ts");
  parseTrust(trust);
  if (config.privateDb === "" && config.privateDbFile === "")
    return failed(check, "a file of releases holds no accounts", "name the private database with --private-db-file");
  const { downloadedRelease, downloadStatePath } = await import("../../releases/fetch.ts");
  const isForeign = existsSync(path) && !existsSync(downloadStatePath(path));
  if (isForeign)
    return failed(check, `${path} was not fetched from a release and is not replaced`, "name another file with --db");
  const downloaded = downloadedRelease(path);
  if (downloaded === null)
    return warning(check, "no release was fetched yet", "start the server, which fetches the newest");
  if (downloaded.sealed_at === undefined)
    return warning(
      check,
      `release ${downloaded.number} was fetched; the time of its seal is unknown`,
      "start the server",
    );
  const ageMs = now - Date.parse(downloaded.sealed_at);
  const found = `release ${downloaded.number} was sealed ${roundAge(Math.max(0, ageMs))} ago`;
  const expiries = trustedExpiries(path);
  if (expiries !== null && expiries.expiresAt <= now)
    return failed(check, `${found}; its signatures have expired`, "check the publisher, which signs every hour");
  if (expiries !== null && isRootEnding(expiries, now))
    return warning(check, rootText(expiries), "ask the publisher to renew it");
  if (ageMs <= followStaleHours * hourMs) return ok(check, found);
  return failed(
    check,
    `${found}, more than ${followStaleHours} h`,
    "check the publisher, and this server's log for refusals",
  );
}

function rootText({ rootExpiresAt }: Expiries): string {
  return `the root of the releases expires at ${toTimestamp(rootExpiresAt)}`;
}

/** Checks root, online key and signatures of the folder into which a server seals its releases. */
export async function checkReleases(
  { releaseTo, releaseKey }: Pick<Config, "releaseTo" | "releaseKey">,
  now: number,
): Promise<Finding> {
  const check = "releases";
  const { ReleaseFolder } = await import("../../releases/folder.ts");
  const { readReleaseKey } = await import("../../releases/key.ts");
  const { refuseOtherKey, rootFacts } = await import("../../releases/metadata.ts");
  const folder = new ReleaseFolder(releaseTo);
  refuseOtherKey(folder, readReleaseKey(releaseKey));
  const facts = rootFacts(folder);
  if (isRootEnding(facts, now))
    return warning(check, rootText(facts), "sign it again with `npx itemtape release root renew`");
  if (facts.expiresAt > now) return ok(check, `${releaseTo} is signed until ${toTimestamp(facts.expiresAt)}`);
  return warning(check, `${releaseTo} has no signatures in force`, "start the server, which signs every hour");
}
