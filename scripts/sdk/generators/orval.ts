import { authorization, declares, type Generator, objectOf, scriptOf } from "../generator.ts";

/** Makes a function per operation, and validators in zod. */
export const orval: Generator = {
  name: "orval",
  packages: ["orval", "zod"],
  files: ({ base }) => {
    const input = { target: "./openapi.json" };
    return {
      "orval.json": JSON.stringify({
        client: {
          input,
          output: { target: "./sdk/client.ts", client: "fetch", mode: "single", headers: true, baseUrl: base },
        },
        zod: { input, output: { target: "./sdk/zod.ts", client: "zod", mode: "single" } },
      }),
    };
  },
  runs: [[scriptOf("orval", "dist/bin/orval.js"), "--config", "orval.json"]],
  head: `import * as sdk from "./sdk/client.ts";
import * as schemas from "./sdk/zod.ts";`,
  request(call, { path, query, header, body, key }) {
    const options = `{ headers: ${objectOf(authorization(key))} }`;
    const words = [
      ...Object.values(path),
      ...(body === null ? [] : [body]),
      ...(declares(call, "query") ? [objectOf(query)] : []),
      ...(declares(call, "header") ? [objectOf(header)] : []),
      options,
    ];
    return `sdk.${call.operationId}(${words.join(", ")})`;
  },
  success({ answer }) {
    const refusal = "if (answer.status !== 200) throw refused(answer);\n";
    return `${refusal}const body = ${answer === null ? "await answer.stream.text()" : "answer.data"};`;
  },
  problem(call, values) {
    return `const answer = await ${this.request(call, values)};
if (answer.status !== 401) throw refused(answer);
const problem = answer.data;`;
  },
  validator: ({ operationId, answer }) => (answer === null ? null : `schemas.${operationId}Response`),
  keepsConst: true,
  note: null,
};
