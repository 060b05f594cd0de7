import { Accounts, ownerName } from "../../access/accounts.ts";
import { Keys } from "../../access/keys.ts";
import { takesSignInLinks } from "../../access/owners/sign-in-links.ts";
import { systemIds } from "../../values/ids.ts";
import { systemClock, toTimestamp } from "../../values/time/clock.ts";
import type { Call } from "../command.ts";
import { withAccounts } from "../open.ts";
import { printJson } from "../print.ts";
import type { Bases } from "../print-demo.ts";
import { linkLines, makeLink } from "../sign-in.ts";
import type { PublishedPools } from "./market-file.ts";

const ownerPlan = "quant";
const keyDays = 90;

/** Facts that a start prints for the owner. `key` is null if it would not be seen. */
type OwnerStart = { accountId: string; hasKey: boolean; key: { secret: string; expiresAt: number } | null };

/** Creates the owner's account if missing. Prints its key, which is shown once, and a sign-in link. */
export async function greetOwner(call: Call, { base }: Bases, pools: PublishedPools | null): Promise<void> {
  const isShown = call.out.isTerminal || call.has("json");
  const { accountId, hasKey, key } = await withAccounts(call, "all", (database): OwnerStart => {
    const parts = { database, clock: systemClock, ids: systemIds() };
    const accounts = new Accounts(parts);
    const known = accounts.list().find(({ name }) => name === ownerName);
    const owner = known ?? accounts.create(ownerName);
    if (known === undefined) accounts.setPlan(owner.accountId, ownerPlan, null);
    const hasKey = known !== undefined && known.keys > 0;
    const made = hasKey || !isShown ? null : new Keys(parts).create(owner.accountId, "start", keyDays);
    return {
      accountId: owner.accountId,
      hasKey,
      key: made === null ? null : { secret: made.secret, expiresAt: made.key.expiresAt },
    };
  });
  const link = isShown && takesSignInLinks(call.config) ? await makeLink(call, accountId) : null;
  const signIn = link === null ? null : base + link.path;
  if (call.has("json")) {
    const until = key === null ? null : toTimestamp(key.expiresAt);
    const ofKey = { key: key?.secret ?? null, key_expires_at: until };
    printJson(call, { url: base, account_id: accountId, ...ofKey, sign_in_url: signIn });
    return;
  }
  for (const line of greeting({ accountId, hasKey, key, base, pools, isShown, signIn })) call.out.line(line);
}

type Greeting = OwnerStart & { base: string; pools: PublishedPools | null; isShown: boolean; signIn: string | null };

function greeting({ accountId, hasKey, key, base, pools, isShown, signIn }: Greeting): string[] {
  const held =
    pools === null || pools.pools === pools.inForce ? "" : `, ${pools.pools - pools.inForce} blocked by their checks`;
  return [
    ...(pools === null ? [] : [`${pools.inForce} containers are published${held}; their returns follow in a minute.`]),
    `Your account is ${accountId} (${ownerName}), on the plan ${ownerPlan} without end.`,
    ...(key === null
      ? []
      : [
          `Your key, shown this once, until ${toTimestamp(key.expiresAt).slice(0, 10)}:`,
          `  ${key.secret}`,
          "Try:",
          `  ITEMTAPE_API_KEY=${key.secret} npx itemtape price "Chroma Case" --url ${base}`,
        ]),
    ...(signIn === null ? [] : [...linkLines(signIn), "`npx itemtape sign-in` prints another one."]),
    ...(isShown || hasKey
      ? []
      : [`The key is shown on terminals only; \`npx itemtape keys create ${accountId} --json\` makes one.`]),
  ];
}
