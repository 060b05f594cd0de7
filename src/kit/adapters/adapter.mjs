// Adapter of the conformance kit for the TypeScript client. Put your own client in its place.
// itemtape kit run --client "node adapter.mjs"
import { createInterface } from "node:readline";
import { Itemtape, ItemtapeError } from "itemtape/client";

async function resultOf({ call, base_url, key, operation, parameters, body, rounds = 1, deadline_ms }) {
  const client = new Itemtape({ baseUrl: base_url, apiKey: key ?? undefined, retry: { totalMs: deadline_ms } });
  const params = { ...parameters, ...body };
  const options = { signal: AbortSignal.timeout(deadline_ms) };
  if (call === "operation") return (await client.call(operation, params, options)).data;
  if (call === "pages") {
    const rows = [];
    for await (const row of client.rows(operation, params, options)) rows.push(row);
    return rows;
  }
  if (call === "follow") {
    const follower = client.follow(options);
    let market;
    for (let round = 0; round < rounds; round += 1) market = (await follower.next()).value;
    return { count: market.items.size, next: market.generation, sha256: market.digest };
  }
  if (operation === "streamHistoryDay") {
    const { rows, end } = await client.exportDay(params, options);
    return { count: rows.length, sha256: end.digest };
  }
  const { items, digest } = await client.exportMarket(options);
  return { count: items.length, sha256: digest.digest };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line);
  const answer = await resultOf(request).then(
    (value) => ({ value }),
    (error) => {
      const { code, status } = error instanceof ItemtapeError ? error : { code: null, status: null };
      return { problem: { code, status } };
    },
  );
  console.log(JSON.stringify({ id, ...answer }));
}
