import { document } from "../../scripts/contract/answers.ts";
import { words } from "../support/words.ts";
import type { World } from "../support/world.ts";
import { bodyFaults } from "./body-faults.ts";
import { type DeclaredOperation, declaredOperations, type Facts, type Parameter } from "./oracle.ts";

/** Changes to a valid request. `{path}` and query are separate, so that one request can have several faults. */
export type Draft = {
  method: string;
  path: Record<string, string>;
  query: string[];
  suffix: string;
  headers: Record<string, string>;
  body: string | undefined;
};

/** One fault of a request, and the facts that result from it. */
export type Fault = { title: string; facts: Facts; apply(draft: Draft): void };

/** Credentials of the callers that a test has made. `good` reads the market, `token` portfolios, for the same account. */
export type Secrets = Record<
  "good" | "expired" | "revoked" | "disabled" | "rotated" | "token" | "free" | "freeToken",
  string
>;

/** A state of a market, as a request for changes names it. */
export type ClientState = { generation: string; identity_digest: string };

const soundBodies = (held: ClientState): Readonly<Record<string, string>> => ({
  getMarketPricesBatch: JSON.stringify({ item_ids: [1, 2] }),
  getMarketPricesKnownAt: JSON.stringify({ known_at: "2026-01-15T11:00:00Z", item_ids: [1, 2] }),
  resolveItemNames: JSON.stringify({ names: ["★ Karambit", "nothing such"] }),
  streamHistoryDay: JSON.stringify({ resolution: "daily" }),
  streamMarketChanges: JSON.stringify(held),
});

/** The state of the demo world, as the contract shows it. */
const exampleState = (document.components as { examples: Record<string, { value: unknown }> }).examples
  .ChangesRequestHeld?.value as ClientState;

/** Returns the state that the market of a world is in. */
export function heldStateOf(world: Pick<World, "sql">): ClientState {
  const [row] = world.sql(
    "SELECT 'g' || generation_id AS generation, lower(hex(identity_digest)) AS identity_digest FROM export_states ORDER BY state_id DESC LIMIT 1",
  );
  return row as ClientState;
}

/** Path parameters of a valid request. */
const soundPath: Readonly<Record<string, string>> = {
  item_id: "1",
  index_id: "knives-equal",
  currency: "EUR",
  slug: "spectrum-2-case",
  generation: "g5",
  date: "2026-01-14",
  portfolio_id: "pf_000000000000000000000001",
};

/** The secret that has the operation's scope. */
export function soundSecret({ scope }: DeclaredOperation, { good, token }: Secrets): string {
  return scope === "portfolio:read" ? token : good;
}

/** A valid request. `held` is the state since which changes are requested. */
export function soundDraft(
  { operationId, method, parameters, takesBody }: DeclaredOperation,
  secret: string,
  held = exampleState,
): Draft {
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  return {
    method,
    path: Object.fromEntries(inPath.map(({ name }) => [name, soundPath[name] ?? ""])),
    query: [],
    suffix: "",
    headers: { authorization: `Bearer ${secret}`, ...(takesBody && { "content-type": "application/json" }) },
    body: takesBody ? soundBodies(held)[operationId] : undefined,
  };
}

/** The request line's target of a draft. */
export function targetOf({ path: template }: DeclaredOperation, { path, query, suffix }: Draft): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? "");
  return filled + suffix + (query.length === 0 ? "" : `?${query.join("&")}`);
}

/** Authorization headers without a valid credential. */
export function malformedAuthorizations(good: string): string[] {
  const [, secret = ""] = /_([0-9A-Za-z]+)$/.exec(good) ?? [];
  const lastChanged = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
  return [
    "",
    "Bearer",
    "Bearer ",
    "Basic dXNlcjpwYXNz",
    `Basic ${good}`,
    `Token ${good}`,
    `Digest ${good}`,
    good,
    secret,
    `Bearer  ${good}`,
    `Bearer\t${good}`,
    `Bearer:${good}`,
    `Bearer=${good}`,
    `Bearer,${good}`,
    `BearerX ${good}`,
    `Bearer "${good}"`,
    `Bearer <${good}>`,
    `Bearer ${good},${good}`,
    `Bearer ${good} ${good}`,
    `Bearer ${good};`,
    `Bearer ${good}x`,
    `Bearer ${good.slice(0, -1)}`,
    `Bearer ${lastChanged}`,
    `Bearer ${good.toUpperCase()}`,
    `Bearer ${good.replace("live", "pat")}`,
    `Bearer ${good.replace("live", "test")}`,
    `Bearer ${secret}`,
    "Bearer null",
    "Bearer undefined",
    "Bearer 0",
    "Bearer {}",
    "Bearer itemtape_live_",
    `Bearer ${"A".repeat(4000)}`,
    `Bearer itemtape_live_${"A".repeat(36)}`,
    `Bearer itemtape_pat_${"0".repeat(36)}`,
    `Bearer token=${good}`,
    "Bearer ' OR 1=1 --",
    "Bearer ../../etc/passwd",
    "Bearer %00",
    `Bearer\u00A0${good}`,
    `Bearer ${good}=`,
  ];
}

/** Faults of the transport and the route, of the credential and of the body's size: one of each kind and more. */
export function outerFaults(operation: DeclaredOperation, secrets: Secrets): Fault[] {
  const authorized = (secret: string) => (draft: Draft) => {
    draft.headers.authorization = `Bearer ${secret}`;
  };
  const isPrivate = operation.scope === "portfolio:read";
  const faults: Fault[] = [
    { title: "a malformed query", facts: { transport: "malformed_request" }, apply: addQuery("x=%zz") },
    {
      title: "a malformed path",
      facts: { transport: "malformed_request" },
      apply: (draft) => (draft.suffix = "%E0%A4%A"),
    },
    {
      title: "a key in the URL",
      facts: { transport: "credential_in_url" },
      apply: addQuery(`api_key=itemtape_live_${"k".repeat(36)}`),
    },
    ...["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", operation.method === "GET" ? "POST" : "GET"]
      .filter((method) => !isAnswered(method, operation.path))
      .map(
        (method): Fault => ({
          title: `the method ${method}`,
          facts: { routeMissed: true },
          apply: (draft) => Object.assign(draft, { method, body: undefined }),
        }),
      ),
    { title: "a trailing slash", facts: { routeMissed: true }, apply: (draft) => (draft.suffix = "/") },
    { title: "no credential", facts: { credential: "none" }, apply: (draft) => delete draft.headers.authorization },
    { title: "an expired key", facts: { credential: "expired" }, apply: authorized(secrets.expired) },
    { title: "a revoked key", facts: { credential: "revoked" }, apply: authorized(secrets.revoked) },
    { title: "a key of a disabled account", facts: { credential: "disabled" }, apply: authorized(secrets.disabled) },
    { title: "a secret that was rotated away", facts: { credential: "unknown" }, apply: authorized(secrets.rotated) },
    {
      title: "a key without the scope",
      facts: { scopes: [isPrivate ? "market:read" : "portfolio:read"] },
      apply: authorized(isPrivate ? secrets.good : secrets.token),
    },
    {
      title: "the Free plan",
      facts: { plan: "free" },
      apply: authorized(isPrivate ? secrets.freeToken : secrets.free),
    },
  ];
  const size: Fault = operation.takesBody
    ? { title: "a body over 16 KiB", facts: { tooLarge: true }, apply: (draft) => (draft.body = " ".repeat(16_385)) }
    : { title: "an unexpected body", facts: { unwantedBody: true }, apply: (draft) => (draft.body = "{}") };
  return [...faults, size];
}

/** Whether the path literally belongs to an operation with this method. `/v1/items/resolve` also looks like an item's path. */
function isAnswered(method: string, path: string): boolean {
  return declaredOperations.some(
    (other) => other.method === method && new RegExp(`^${other.path.replaceAll(/\{\w+\}/g, "[^/{}]+")}$`).test(path),
  );
}

/** Faults of parameters and body, out of the contract's schemas. */
export function innerFaults({ operationId, parameters, takesBody }: DeclaredOperation): Fault[] {
  const ofParameters = parameters.flatMap((parameter) =>
    badValues(parameter).map(([value, code]): Fault => {
      const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
      return {
        title: `${parameter.in} parameter ${parameter.name}=${shown}`,
        facts: { parameters: code },
        apply(draft) {
          if (parameter.in === "path") draft.path[parameter.name] = value;
          else draft.query.push(`${parameter.name}=${value}`);
        },
      };
    }),
  );
  const repeated = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }): Fault => {
      const value = schema.type === "integer" ? "1" : "x";
      return { title: `${name} twice`, facts: bad, apply: addQuery(`${name}=${value}`, `${name}=${value}`) };
    });
  const unknown = ["verbose=1", "Limit=1", "limit%5B%5D=1", "__proto__=1", "=1", "&", "constructor", "%F0%9F%92%A5=1"];
  return [
    ...ofParameters,
    ...repeated,
    ...unknown.map((query): Fault => ({ title: `the query ${query}`, facts: bad, apply: addQuery(query) })),
    ...(takesBody ? bodyFaults(operationId) : []),
  ];
}

const bad: Facts = { parameters: "invalid_parameter" };

/** Values that a parameter must not have, each with the code of its refusal. */
function badValues({ name, schema, in: place }: Parameter): [string, string][] {
  const code = "invalid_parameter";
  if (schema.type === "integer") {
    const outside = [Number(schema.minimum) - 1, Number(schema.maximum) + 1, 2 ** 53, -1].map(String);
    const forms = words(`
  abc 1.5 1.0 1e1 %2B1 01 0x10 %201 1%20 1_0 1,0 -0 NaN Infinity
`);
    const wide = ["%D9%A1", "%EF%BC%91", "9".repeat(30), "true", "null", "1%0A"];
    const unknown = name === "membership_version" ? ["99", "2147483647"] : [];
    const values = [...outside, ...forms, ...wide, ...unknown, ...(place === "query" ? ["", "+1"] : [])];
    return values.map((value) => [value, code]);
  }
  const refused = (...texts: string[]) => texts.map((text): [string, string] => [text, code]);
  if (schema.type === "boolean") return refused("", "1", "True", "yes", "true%20", "null");
  if (schema.type === "array") {
    const tooMany = Array.from({ length: 101 }, (_, index) => index + 1).join();
    const wrong = ["0", "01", "445,", ",445", "445,,485", "445;485", "4.5", "x", "%20445", "445,2147483648"];
    return refused("", tooMany, ...wrong);
  }
  if (Array.isArray(schema.enum)) return refused("", "both", "Ask", "ask,bid", "ask%20", "0", "null");
  if (schema.format === "date") return refused(...badDates.filter((date) => place === "query" || date !== ""));
  if (schema.format === "date-time")
    return refused(
      "",
      "x",
      "2026-01-14",
      "2026-01-14T18:00:00",
      "2026-01-14T18:00:00%2B00:00",
      "2026-01-14%2018:00:00Z",
    );
  // Any text is an id that may not exist.
  if (name === "portfolio_id") return [];
  const tooLong = "a".repeat(Number(schema.maxLength) + 1);
  // An empty segment is another path.
  const values = refused(...(place === "path" ? [] : [""]), tooLong);
  if (name === "index_id") return [...values, ...refused("Knives", "-knives", "knives_equal", "%20", "..%2F", "a%0A")];
  if (name === "slug") return [...values, ...refused("Kilowatt", "-kilowatt", "kilowatt_case", "%20", "..%2F", "a%0A")];
  if (name === "generation" || schema.pattern === "^g[1-9][0-9]{0,9}$")
    return [...values, ...refused("5", "g", "g0", "g05", "G5", "g-5", "g5.0", "%20g5", "g5%0A")];
  if (name === "currency") return [...values, ...refused("eur", "EU", "E1R", "%C3%89UR", "EUR%0A", "%20EUR")];
  if (name === "methodology_version")
    return [...values, ...refused("%20", "-1", "a%2Fb", "a%0A"), ["none-99", "unknown_methodology_version"]];
  if (name === "q") return [...values, ["%01", code], ["a%7F", code], ["%C2%80b", code], ["%0A", code]];
  if (name === "provider") {
    const slugs = ["Steam", "-steam", "steam!", "%20steam", "ste+am", "..", "st%2Feam", "__proto__"];
    return [
      ...values,
      ...slugs.map((slug): [string, string] => [slug, code]),
      ["no-such-provider", "unknown_provider"],
    ];
  }
  if (name === "kind") return [...values, ...refused("Gap", "_gap", "gap-", "%20gap", "gap%0A")];
  if (name === "feed") return [...values, ...refused("Steam", "-steam", "steam!", "%20steam", "steam%0A")];
  // Any text is a rarity or a weapon that no item may have.
  if (name === "rarity" || name === "weapon") return values;
  const cursors = ["x", "e30.AAAAAAAAAAAAAAAAAAAAAA", "..", "a".repeat(512)];
  return [
    ...values,
    ["%20", code],
    ["a%2Fb", code],
    ...cursors.map((cursor): [string, string] => [cursor, "invalid_cursor"]),
  ];
}

const badDates = [
  ...words(`
  2026-02-29 2026-02-30 2026-13-01 2026-00-01 2026-01-00 2026-1-2 20260102 yesterday 2026-01-02T00:00:00.000Z
  2026-01-02%0A %202026-01-02 +2026-01-02 1767312000000 null
`),
  "",
];

function addQuery(...pairs: string[]): (draft: Draft) => void {
  return (draft) => void draft.query.push(...pairs);
}
