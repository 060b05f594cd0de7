import { expect } from "chai";
import { agentOf, callTool, textOf } from "./agent-world.ts";

type Said = { status: number; code?: string; headers?: Record<string, string> };

/** The text of `getItem` when a server answers like this. */
async function reported({ status, code, headers }: Said): Promise<string> {
  const record = { type: "about:blank", title: "Refused", status, detail: "so it is", code, request_id: "req_1" };
  const isRecord = code !== undefined;
  const type = isRecord ? "application/problem+json" : "text/html";
  const body = isRecord ? JSON.stringify(record) : "<h1>Refused</h1>";
  const fetch = async () => new Response(body, { status, headers: { "content-type": type, ...headers } });
  const client = await agentOf("http://127.0.0.1:9", null, { fetch, retry: { attemptsMax: 1 } });
  const text = textOf(await callTool(client, "getItem", { item_id: 1 }));
  await client.close();
  return text;
}

describe("advice on a refusal", () => {
  const charges: [string, Said, string][] = [
    ["a gateway's page", { status: 502 }, "may have been charged"],
    ["an error page", { status: 500 }, "may have been charged"],
    ["another server's page", { status: 404 }, "may have been charged"],
    ["a failure of the service", { status: 503, code: "service_unavailable" }, "may have been charged"],
    ["an unknown operation", { status: 404, code: "endpoint_not_found" }, "Nothing was charged."],
    ["an unknown item", { status: 404, code: "item_not_found" }, "A unit was charged if the tool costs one."],
    ["a bad request", { status: 400, code: "invalid_parameter" }, "Nothing was charged."],
    ["a full minute", { status: 429, code: "rate_limited" }, "Nothing was charged."],
  ];
  for (const [what, message, cost] of charges) {
    it(`for ${what} (${message.status}): ${cost.replace(/\.$/, "").toLowerCase()}`, async () => {
      const lines = (await reported(message)).split("\n");
      expect(lines.at(-1)).to.include(cost);
      const others = ["may have been charged", "Nothing was", "A unit was"].filter((words) => !cost.includes(words));
      for (const other of others) expect(lines.at(-1)).not.to.include(other);
    });
  }

  it("names a wait only if one is stated", async () => {
    const message = { status: 429, code: "rate_limited" };
    expect(await reported(message))
      .to.include("Wait a minute, then")
      .and.not.include("as it says");
    const declared = await reported({ ...message, headers: { "retry-after": "30" } });
    expect(declared).to.match(/^retry after: 30 s\nWait as long as it asks, then/m);
  });
});
