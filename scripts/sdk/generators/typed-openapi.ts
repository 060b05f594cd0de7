import { type Generator, objectOf, problemByStatus, scriptOf } from "../generator.ts";

const script = scriptOf("typed-openapi", "bin.js");

/** Generates types, a client over a fetch function given by the caller, and schemas in zod. */
export const typedOpenapi: Generator = {
  name: "typed-openapi",
  packages: ["typed-openapi", "zod"],
  files: () => ({}),
  runs: [
    [script, "openapi.json", "--output", "sdk/client.ts"],
    [script, "openapi.json", "--output", "sdk/zod.ts", "--runtime", "zod", "--schemas-only"],
  ],
  head: `import { createApiClient } from "./sdk/client.ts";
import * as schemas from "./sdk/zod.ts";
let key: string | null = null;
const client = createApiClient({
  fetch: ({ method, url, urlSearchParams, parameters }) => {
    if (urlSearchParams) url.search = urlSearchParams.toString();
    const headers = new Headers(parameters?.header as Record<string, string> | undefined);
    if (key !== null) headers.set("authorization", \`Bearer \${key}\`);
    if (parameters?.body === undefined) return fetch(url, { method, headers });
    headers.set("content-type", "application/json");
    return fetch(url, { method, headers, body: JSON.stringify(parameters.body) });
  },
  parseResponseData: (response) =>
    response.headers.get("content-type")?.includes("ndjson") ? response.text() : response.json(),
}, base);
const as = (given: string | null) => { key = given; return client; };`,
  request(call, { path, query, header, body, key }) {
    const declared = Object.entries({ path, query, header }).filter(([place]) =>
      call.parameters.some((one) => one.in === place),
    );
    const places = Object.fromEntries(declared.map(([place, values]) => [place, objectOf(values)]));
    const options = { ...places, ...(body !== null && { body }) };
    const rest = Object.keys(options).length > 0 ? `, ${objectOf(options)}` : "";
    return `as(${key}).${call.method}("${call.path}"${rest})`;
  },
  success: () => "const body = answer;",
  problem({ method, path }, { key, query }) {
    const options = `{ header: {}, query: ${objectOf(query)}, withResponse: true }`;
    return problemByStatus(`as(${key}).${method}("${path}", ${options})`);
  },
  validator: ({ answer }) => (answer === null ? null : `schemas.${answer.name}`),
  keepsConst: false,
  note: "types a const as any value of its type",
};
