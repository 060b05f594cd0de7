import { type Call, declared, type Parameter } from "./calls.ts";
import type { Generator } from "./generator.ts";

/** Address for SDKs with a base address fixed at generation. */
export const unknownBase = "http://kit.invalid";

/**
 * Writes an adapter of the conformance kit for an SDK: the shortest code that uses it. It repeats nothing, checks nothing and has no
 * time limit of its own.
 */
export function kitAdapter(generator: Generator, calls: readonly Call[]): string {
  const functions = calls.map((call) => {
    const values = {
      path: expressions(call, "path"),
      query: expressions(call, "query"),
      header: {},
      body: call.body === null ? null : "sent",
      key: call.caller === "nobody" ? null : "key",
    };
    const request = generator.request(call, values);
    return `async ${call.operationId}(params, sent, key) { const answer = await ${request}; ${generator.success(call)} return body; }`;
  });
  return `${generator.head}
const calls: Record<string, (params: any, sent: any, key: any) => Promise<any>> = {
${functions.join(",\n")}
};
await serve(calls);
`;
}

/** Head of the bundle. It runs before the SDK, which reads `base` once. */
export const kitRuntime = `import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let line = await lines.next();
if (line.done) process.exit();
globalThis.base = JSON.parse(line.value).base_url;
globalThis.refused = (answer) => ({ answer });
globalThis.serve = async (calls) => {
  for (; !line.done; line = await lines.next()) {
    const { id, ...request } = JSON.parse(line.value);
    const answer = await answerTo(calls, request).catch((error) => ({ problem: problemOf(error) }));
    console.log(JSON.stringify({ id, ...answer }));
  }
};
async function answerTo(calls, { call, operation, parameters, body, key }) {
  if (call === "follow") return { unsupported: true };
  if (call === "operation") return { value: (await calls[operation](parameters, body, key)).data ?? null };
  if (call === "pages") return { value: await rowsOf((more) => calls[operation]({ ...parameters, ...more }, body, key)) };
  const records = (await calls[operation](parameters, body, key)).trimEnd().split("\\n");
  const rows = records.filter((record) => !/^\\{"type":"(start|end)"/.test(record));
  if (operation !== "streamMarketSnapshot") return summary(rows, rows);
  const items = rows.map((row) => JSON.parse(row).data).filter((item) => item.availability === "available");
  return summary(rows, items.map(({ item_id, asks, bids }) => JSON.stringify({ item_id, asks, bids })));
}
function summary(rows, digested) {
  const sha256 = createHash("sha256").update(digested.map((row) => row + "\\n").join("")).digest("hex");
  return { value: { count: rows.length, sha256 } };
}
async function rowsOf(page) {
  const rows = [];
  for (let next = {}; ; ) {
    const { data, meta } = await page(next);
    rows.push(...data);
    if (meta.next_page != null) next = { after: meta.next_page };
    else if (meta.next_cursor != null) next = { cursor: meta.next_cursor };
    else return rows;
  }
}
function problemOf(error) {
  const answer = error?.answer ?? error?.response;
  const places = [error, answer, error?.error, answer?.data];
  const found = places.find((place) => typeof place?.code === "string" && /^[a-z_]+$/.test(place.code));
  const status = places.find((place) => typeof place?.status === "number")?.status ?? null;
  return { code: found?.code ?? null, status };
}
`;

function expressions(call: Call, place: Parameter["in"]): Record<string, string> {
  return Object.fromEntries(declared(call, place).map(({ name }) => [name, `params.${name}`]));
}
