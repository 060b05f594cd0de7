import { authorization, type Generator, objectOf, scriptOf } from "../generator.ts";

/** Makes types alone, for a generic client. */
export const openapiFetch: Generator = {
  name: "openapi-typescript",
  packages: ["openapi-typescript", "openapi-fetch"],
  files: () => ({}),
  runs: [[scriptOf("openapi-typescript", "bin/cli.js"), "openapi.json", "--output", "sdk/schema.ts"]],
  head: `import createClient from "openapi-fetch";
import type { paths } from "./sdk/schema.ts";
const client = createClient<paths>({ baseUrl: base });`,
  request(call, { path, query, header, body, key }) {
    const headers = objectOf(authorization(key));
    const places = { path, query, header };
    const params = Object.entries(places).filter(([, values]) => Object.keys(values).length > 0);
    const options = {
      ...(params.length > 0 && {
        params: objectOf(Object.fromEntries(params.map(([name, v]) => [name, objectOf(v)]))),
      }),
      ...(body !== null && { body }),
      ...(call.answer === null && { parseAs: '"text"' }),
      headers,
    };
    return `client.${call.method.toUpperCase()}("${call.path}", ${objectOf(options)})`;
  },
  success: () => "const { data: body, error } = answer;\nif (body === undefined) throw refused(error);",
  problem(call, values) {
    return `const { error: problem } = await ${this.request(call, values)};\nif (problem === undefined) throw refused(null);`;
  },
  validator: () => null,
  keepsConst: true,
  note: null,
};
