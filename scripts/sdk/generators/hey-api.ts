import { dataOrError, filledPlaces, type Generator, objectOf, pascalCase, scriptOf } from "../generator.ts";

/** Generates a full client that validates responses with zod. */
export const heyApi: Generator = {
  name: "hey-api",
  packages: ["@hey-api/openapi-ts", "zod"],
  files: () => ({
    "hey-api.config.mjs": `export default {
  input: "./openapi.json",
  output: "./sdk",
  logs: { file: false },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "zod", { name: "@hey-api/sdk", validator: true }],
};
`,
  }),
  runs: [[scriptOf("@hey-api/openapi-ts", "bin/run.js"), "-f", "hey-api.config.mjs"]],
  head: `import { client } from "./sdk/client.gen.ts";
import * as sdk from "./sdk/sdk.gen.ts";
import * as schemas from "./sdk/zod.gen.ts";
client.setConfig({ baseUrl: base });`,
  request(call, { path, query, header, body, key }) {
    const options = {
      ...filledPlaces({ path, query, headers: header }),
      ...(body !== null && { body }),
      ...(key !== null && { auth: key }),
      ...(call.answer === null && { parseAs: '"text"' }),
    };
    return `sdk.${call.operationId}(${objectOf(options)})`;
  },
  ...dataOrError,
  validator: ({ operationId }) => `schemas.z${pascalCase(operationId)}Response`,
  keepsConst: true,
  note: null,
};
