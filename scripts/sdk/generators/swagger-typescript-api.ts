import { argumentOf, type Generator, objectOf, scriptOf } from "../generator.ts";

const words = "--path openapi.json --output sdk --name api.ts --enum-style union --silent".split(" ");

/** Generates one class with a method per operation, which throws on every status except 2xx. */
export const swaggerTypescriptApi: Generator = {
  name: "swagger-typescript-api",
  packages: ["swagger-typescript-api"],
  files: () => ({}),
  runs: [[scriptOf("swagger-typescript-api", "dist/cli.mjs"), "generate", ...words]],
  head: `import { Api, type HttpResponse } from "./sdk/api.ts";
import type { Problem } from "./sdk/api.ts";
const api = new Api<string>({
  baseUrl: base,
  securityWorker: (key) => (key === null ? {} : { headers: { Authorization: \`Bearer \${key}\` } }),
});
const as = (key: string | null) => { api.setSecurityData(key); return api; };`,
  request(call, { path, query, header, body, key }) {
    const params = {
      ...(Object.keys(header).length > 0 && { headers: objectOf(header) }),
      ...(call.answer === null && { format: '"text"' }),
    };
    const [group] = call.path.split("/").filter((part) => part !== "");
    const parameters = [
      ...Object.values(path),
      ...argumentOf(call, "query", query),
      ...(body === null ? [] : [body]),
      objectOf(params),
    ];
    return `as(${key}).${group}.${call.operationId}(${parameters.join(", ")})`;
  },
  success: () => "const body = answer.data;",
  problem(call, values) {
    const onRefusal = "(answer: HttpResponse<unknown, Problem>) => answer.error";
    return `const problem = await ${this.request(call, values)}.then(() => { throw refused(null); }, ${onRefusal});`;
  },
  validator: () => null,
  keepsConst: true,
  note: null,
};
