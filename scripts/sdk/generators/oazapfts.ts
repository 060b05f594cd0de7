import { authorization, camelCase, type Generator, objectOf, problemByStatus, scriptOf } from "../generator.ts";

/** Reserved words, which the generator prefixes with a dollar sign. */
const reserved = ["from"];

/** Generates functions with positional arguments over a small runtime. */
export const oazapfts: Generator = {
  name: "oazapfts",
  packages: ["oazapfts", "@oazapfts/runtime"],
  files: () => ({}),
  runs: [[scriptOf("oazapfts", "dist/cli.js"), "openapi.json", "sdk.ts"]],
  head: `import * as sdk from "./sdk.ts";
sdk.defaults.baseUrl = base;
const asText: typeof fetch = async (input, init) => {
  const { body, status } = await fetch(input, init);
  return new Response(body, { status, headers: { "content-type": "text/plain" } });
};`,
  request(call, { path, query, header, body, key }) {
    const options = { headers: objectOf(authorization(key)), ...(call.answer === null && { fetch: "asText" }) };
    const named = (name: string) => (reserved.includes(name) ? `$${name}` : camelCase(name));
    const words = [
      ...Object.values(path),
      ...(body === null ? [] : [body]),
      ...(call.parameters.some((one) => one.in !== "path") ? [objectOf({ ...query, ...header }, named)] : []),
      objectOf(options),
    ];
    return `sdk.${call.operationId}(${words.join(", ")})`;
  },
  success: () => "if (answer.status !== 200) throw refused(answer);\nconst body = answer.data;",
  problem(call, values) {
    return problemByStatus(this.request(call, values));
  },
  validator: () => null,
  keepsConst: true,
  note: "reads application/x-ndjson as JSON; the export is given as text/plain",
};
