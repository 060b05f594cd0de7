import { argumentOf, authorization, type Generator, objectOf, problemByStatus, scriptOf } from "../generator.ts";

/** Generates a function per operation, and validators in zod. */
export const orval: Generator = {
  name: "orval",
  packages: ["orval", "zod"],
  files: ({ base }) => {
    const input = { target: "./openapi.json" };
    const client = { target: "./sdk/client.ts", client: "fetch", mode: "single", headers: true, baseUrl: base };
    const zod = { target: "./sdk/zod.ts", client: "zod", mode: "single" };
    return { "orval.json": JSON.stringify({ client: { input, output: client }, zod: { input, output: zod } }) };
  },
  runs: [[scriptOf("orval", "dist/bin/orval.js"), "--config", "orval.json"]],
  head: `import * as sdk from "./sdk/client.ts";
import * as schemas from "./sdk/zod.ts";`,
  request(call, { path, query, header, body, key }) {
    const words = [
      ...Object.values(path),
      ...(body === null ? [] : [body]),
      ...argumentOf(call, "query", query),
      ...argumentOf(call, "header", header),
      `{ headers: ${objectOf(authorization(key))} }`,
    ];
    return `sdk.${call.operationId}(${words.join(", ")})`;
  },
  success({ answer }) {
    const refusal = "if (answer.status !== 200) throw refused(answer);\n";
    return `${refusal}const body = ${answer === null ? "await answer.stream.text()" : "answer.data"};`;
  },
  problem(call, values) {
    return problemByStatus(this.request(call, values));
  },
  validator: ({ operationId, answer }) => (answer === null ? null : `schemas.${operationId}Response`),
  keepsConst: true,
  note: null,
};
