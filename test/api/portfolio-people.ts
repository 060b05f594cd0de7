import { hashKey, type KeyKind } from "../../src/access/credentials.ts";
import { type PlanTable, plans } from "../../src/access/plans.ts";
import { dayOf } from "../../src/values/time/calendar.ts";
import { idOf, PortfolioRows } from "../support/portfolios.ts";
import { demoAt, type World } from "../support/world.ts";

export const portfolioOperations = [
  "getPortfolio",
  "listPortfolioHoldings",
  "listPortfolioTransactions",
  "getPortfolioHistory",
] as const;

const today = dayOf(demoAt);
const paths: Readonly<Record<string, string>> = {
  getPortfolio: "",
  listPortfolioHoldings: "/holdings",
  listPortfolioTransactions: "/transactions",
  getPortfolioHistory: "/history",
};

/** The minute limit is high enough for a test of all requests. */
export const patientPlans: PlanTable = {
  ...plans,
  free: { ...plans.free, requestsPerMinute: 100_000 },
  quant: { ...plans.quant, requestsPerMinute: 100_000 },
};

export type Token = { secret: string; keyId: string };

/** The request target of one of `portfolioOperations`. `id` is in its URL form. */
export function targetOf(operation: string, id: string): string {
  return `/v1/me/portfolios/${id}${paths[operation]}`;
}

/** Two accounts with portfolios in every relation to the first one's token `own`. */
export type People = ReturnType<typeof createPeople>;

export function createPeople(world: World) {
  const [me, other, broke, left] = [
    world.account("quant"),
    world.account("quant"),
    world.account("free"),
    world.account("quant"),
  ];
  const token = (accountId: string, kind: KeyKind = "personal", scopes = "portfolio:read"): Token => {
    const secret = world.key(accountId, kind, scopes);
    const [row] = world.sql("SELECT key_id AS keyId FROM api_keys WHERE secret_hash = ?", hashKey(secret));
    return { secret, keyId: String(row?.keyId) };
  };
  const tokens = {
    own: token(me.accountId),
    ownOther: token(me.accountId),
    ownNothing: token(me.accountId),
    theirs: token(other.accountId),
    free: token(broke.accountId),
    expired: token(me.accountId),
    revoked: token(me.accountId),
    rotated: token(me.accountId),
    disabled: token(left.accountId),
  };
  const ids = world.change((database) => fill(new PortfolioRows(database), tokens, { me, other, broke, left }));
  world.sql("UPDATE api_keys SET expires_at = ? WHERE key_id = ?", world.clock.at, tokens.expired.keyId);
  const renewed = world.keysOf((keys) => {
    keys.revoke(tokens.revoked.keyId);
    return keys.rotate(tokens.rotated.keyId).secret;
  });
  world.accounts((accounts) => accounts.disable(left.accountId));
  return { me, other, broke, tokens, renewed, ids };
}

type Accounts = Record<"me" | "other" | "broke" | "left", { accountId: string }>;

/** Fills each portfolio alike, so that a wrongly returned one has content. */
function fill(rows: PortfolioRows, tokens: Record<string, Token>, { me, other, broke, left }: Accounts) {
  const portfolio = (tag: string, { accountId }: { accountId: string }, isPublic = false) => {
    const portfolioId = rows.portfolio(tag, accountId, { isPublic });
    rows.removedLot(portfolioId, tag);
    for (const part of ["a", "b"]) {
      const holdingId = rows.holding(portfolioId, `${tag}${part}`);
      rows.transaction(portfolioId, `${tag}${part}`, today - 1, { holdingId });
      rows.valuation(portfolioId, today - (part === "a" ? 1 : 2));
    }
    return portfolioId;
  };
  const ids = {
    selected: portfolio("selected", me),
    selectedPublic: portfolio("selectedPublic", me, true),
    unselected: portfolio("unselected", me),
    unselectedPublic: portfolio("unselectedPublic", me, true),
    otherSelected: portfolio("otherSelected", me),
    foreign: portfolio("foreign", other),
    foreignPublic: portfolio("foreignPublic", other, true),
    foreignSelected: portfolio("foreignSelected", other),
    deleted: portfolio("deleted", me),
    movedAway: portfolio("movedAway", me),
    movedAwayAndBack: portfolio("movedAwayAndBack", me),
    movedHere: portfolio("movedHere", other),
    received: portfolio("received", other),
    free: portfolio("free", broke),
    disabled: portfolio("disabled", left),
    nonexistent: idOf("pf_", "nonexistent"),
  };
  const select = (name: string, ...portfolioIds: string[]) => rows.select(tokens[name]!.keyId, ...portfolioIds);
  const { selected, selectedPublic, deleted, movedAway, movedAwayAndBack } = ids;
  // A row that names another account's portfolio cannot be made. This selection simulates a fault that would make one.
  select("own", selected, selectedPublic, deleted, movedAway, movedAwayAndBack, ids.foreignSelected);
  select("ownOther", ids.otherSelected);
  select("theirs", ids.foreign, ids.movedHere);
  select("free", ids.free);
  select("disabled", ids.disabled);
  for (const name of ["expired", "revoked", "rotated"]) select(name, selected);
  rows.remove(deleted);
  rows.transfer(movedAway, other.accountId);
  rows.transfer(ids.movedHere, me.accountId);
  for (const { accountId } of [other, me]) rows.transfer(movedAwayAndBack, accountId);
  rows.transfer(ids.received, me.accountId);
  select("own", ids.received);
  return ids;
}

/** Ids in URL form. No portfolio has one of them, though some are similar to a real id. */
export function malformedIds({ selected }: { selected: string }): string[] {
  return [
    "pf_",
    "pf",
    "x",
    "0",
    "..%2f",
    "..%2F..%2Fitems",
    "%2F",
    "%20",
    "null",
    "%7B%7D",
    "a".repeat(300),
    "%F0%9F%92%A5",
    `pf_${"0".repeat(33)}`,
    "x".repeat(7000),
    `'%20OR%20''='`,
    "pf_%25",
    "*",
    "%5B%5D",
    ".",
    "%2E%2E",
    `${selected}%3Fx`,
    `${selected}%2F`,
    `${selected}%2Fholdings`,
    `${selected}%20`,
    `%20${selected}`,
    `${selected}%0A`,
    `${selected}%23`,
    `${selected};x=1`,
    `${selected},${selected}`,
    selected.toUpperCase(),
    selected.slice(0, -1),
    `${selected}0`,
    `${selected}%C2%A0`,
    `${selected}%E2%80%8B`,
  ];
}
