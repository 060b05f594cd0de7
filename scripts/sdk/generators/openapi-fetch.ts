import { authorization, dataOrError, filledPlaces, type Generator, objectOf, scriptOf } from "../generator.ts";

/** Generates only types, for a generic client. */
export const openapiFetch: Generator = {
  name: "openapi-typescript",
  packages: ["openapi-typescript", "openapi-fetch"],
  files: () => ({}),
  runs: [[scriptOf("openapi-typescript", "bin/cli.js"), "openapi.json", "--output", "sdk/schema.ts"]],
  head: `import createClient from "openapi-fetch";
import type { paths } from "./sdk/schema.ts";
const client = createClient<paths>({ baseUrl: base });`,
  request(call, { path, query, header, body, key }) {
    const params = filledPlaces({ path, query, header });
    const options = {
      ...(Object.keys(params).length > 0 && { params: objectOf(params) }),
      ...(body !== null && { body }),
      ...(call.answer === null && { parseAs: '"text"' }),
      headers: objectOf(authorization(key)),
    };
    return `client.${call.method.toUpperCase()}("${call.path}", ${objectOf(options)})`;
  },
  ...dataOrError,
  validator: () => null,
  keepsConst: true,
  note: null,
};
