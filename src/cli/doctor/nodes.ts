// Checks of a server that is one of several nodes, apart from the general checks because they load more.

import { existsSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { type Expiries, isRootEnding } from "../../values/release-status.ts";
import { dayMs, hourMs } from "../../values/time/calendar.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import { roundAge } from "../../values/time/time-text.ts";
import { privateAddress } from "../private-address.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

type PrivateSettings = Pick<Config, "privateDb" | "privateDbFile">;
type FollowSettings = Pick<Config, "follow" | "trust" | "followStaleHours"> & PrivateSettings;

/** Signatures last three days and are renewed every hour, so that fewer days show a stopped publisher. */
const signedAheadMs = 2 * dayMs;

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
  const ending = expiries === null ? null : endingOf(check, expiries, now, followerFixes);
  if (ending !== null) return ending;
  if (ageMs <= followStaleHours * hourMs) return ok(check, found);
  return failed(
    check,
    `${found}, more than ${followStaleHours} h`,
    "check the publisher, and this server's log for refusals",
  );
}

const followerFixes = {
  root: "ask the publisher for `release root renew`",
  signatures: "check the publisher, which signs every hour",
};
const publisherFixes = {
  root: "sign it again with `npx itemtape release root renew`",
  signatures: "start the server, which signs every hour",
};

/** Returns the finding of signatures that have expired or soon expire. Null if all last. */
function endingOf(check: string, expiries: Expiries, now: number, fixes: typeof publisherFixes): Finding | null {
  const { expiresAt, rootExpiresAt } = expiries;
  const root = `the root of the releases ${rootExpiresAt <= now ? "expired" : "expires"} at ${toTimestamp(rootExpiresAt)}`;
  if (rootExpiresAt <= now) return failed(check, `${root}: nodes accept no release`, fixes.root);
  const signatures = `the signatures of the releases ${expiresAt <= now ? "expired" : "expire"} at ${toTimestamp(expiresAt)}`;
  if (expiresAt <= now) return failed(check, `${signatures}: nodes accept no release`, fixes.signatures);
  if (isRootEnding(expiries, now)) return warning(check, root, fixes.root);
  return expiresAt - now < signedAheadMs ? warning(check, signatures, fixes.signatures) : null;
}

/** Checks root, online key and signatures of the folder into which a server seals its releases, and the terms of its providers. */
export async function checkReleases(
  path: string,
  { releaseTo, releaseKey, releaseOwnNodes }: Pick<Config, "releaseTo" | "releaseKey" | "releaseOwnNodes">,
  now: number,
): Promise<Finding> {
  const check = "releases";
  const { ReleaseFolder } = await import("../../releases/folder.ts");
  const { readReleaseKey } = await import("../../releases/key.ts");
  const { refuseOtherKey, rootFacts } = await import("../../releases/metadata.ts");
  const { refuseOtherPublisher, refuseUnlessAllowed } = await import("../../releases/seal.ts");
  const { ProviderTerms } = await import("../../store/write/provider-terms.ts");
  const { inFile } = await import("./data.ts");
  const folder = new ReleaseFolder(releaseTo);
  refuseOtherKey(folder, readReleaseKey(releaseKey));
  refuseOtherPublisher(path, folder);
  const { notAllowed } = inFile(path, (database) => new ProviderTerms(database).summary());
  if (releaseOwnNodes !== "on") refuseUnlessAllowed(notAllowed);
  const facts = rootFacts(folder);
  if (facts.expiresAt === 0) return warning(check, `${releaseTo} has no signed release`, publisherFixes.signatures);
  const isSigned = ok(check, `${releaseTo} is signed until ${toTimestamp(facts.expiresAt)}`);
  return endingOf(check, facts, now, publisherFixes) ?? isSigned;
}
