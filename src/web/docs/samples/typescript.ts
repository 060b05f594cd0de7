import { tarballPath } from "../../client/files.ts";
import { type Documented, termsOf } from "../documented.ts";
import { exampleTarget, samplePath } from "./target.ts";

const lineWidth = 100;

/** Returns a module for the client that the server offers. It is also valid JavaScript, so that every Node version runs it. */
export function typescriptSample(operation: Documented, base: string): string {
  const { operationId } = operation;
  const isProtected = operation.plan !== "none";
  if (operation.isStream && !operation.isExport) return streamSample(operation, base);
  const lines = [
    `// ${operationId}: ${operation.summary}.`,
    `// ${termsOf(operation)}`,
    "// In an empty folder, with Node 20 or later:",
    `//   npm install ${base}${tarballPath}`,
    `//   curl -o ${operationId}.mjs ${base}${samplePath(operationId, "ts")}`,
    `//   node ${operationId}.mjs`,
    `import { ${operation.isExport ? "ExportError, " : ""}Itemtape, ItemtapeError } from "itemtape-client";`,
    "",
    ...(isProtected
      ? [
          "const apiKey = process.env.ITEMTAPE_API_KEY?.trim();",
          `if (!apiKey) throw new Error("ITEMTAPE_API_KEY must hold your key");`,
        ]
      : []),
    `const itemtape = new Itemtape({ baseUrl: ${JSON.stringify(base)}${isProtected ? ", apiKey" : ""} });`,
    "",
    "try {",
    ...(operation.isExport ? exportLines : callLines(operation)),
    "} catch (error) {",
    ...(operation.isExport ? brokenExportLines : refusalLines),
    "  process.exitCode = 1;",
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

/** Writes a sample for a stream other than the export, which only needs `fetch`. */
function streamSample(operation: Documented, base: string): string {
  const { operationId, method, body } = operation;
  const lines = [
    `// ${operationId}: ${operation.summary}.`,
    `// ${termsOf(operation)}`,
    "// With Node 20 or later. The client is not needed for it:",
    `//   curl -o ${operationId}.mjs ${base}${samplePath(operationId, "ts")}`,
    `//   node ${operationId}.mjs`,
    "const apiKey = process.env.ITEMTAPE_API_KEY?.trim();",
    `if (!apiKey) throw new Error("ITEMTAPE_API_KEY must hold your key");`,
    "",
    `const answer = await fetch(${JSON.stringify(base + exampleTarget(operation))}, {`,
    `  method: ${JSON.stringify(method)},`,
    '  redirect: "error",',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it belongs to the sample.
    '  headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },',
    ...(body === null ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
    "});",
    "const text = await answer.text();",
    'const last = answer.ok ? JSON.parse(text.trimEnd().split("\\n").at(-1) ?? "") : null;',
    "// HTTP 200 alone proves nothing: only an end record does.",
    'if (last?.type === "end") {',
    "  console.log(text.trimEnd());",
    "} else {",
    "  console.error(text.trimEnd());",
    "  process.exitCode = 1;",
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function callLines(operation: Documented): string[] {
  const { operationId, paging } = operation;
  const given = paramsOf(operation);
  const call = `  const { data, meta } = await itemtape.${operationId}(`;
  const print = "  console.log(JSON.stringify({ data, meta }, null, 2));";
  if (paging === null) return [`${call}${literal(given, call.length)});`, print];
  const line = oneLine(given);
  return [
    "  // This is one page. All rows, in as many requests as there are pages:",
    `  // for await (const row of itemtape.rows("${operationId}"${line === "" ? "" : `, ${line}`})) console.log(JSON.stringify(row));`,
    `${call}${line});`,
    print,
  ];
}

const exportLines = [
  "  // Resolves only after a matching end record; a broken export returns no data.",
  "  const { start, items } = await itemtape.exportMarket();",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it belongs to the sample.
  "  console.log(`complete: ${items.length} items of generation ${start.generation}`);",
];

const refusalLines = [
  "  if (!(error instanceof ItemtapeError)) throw error;",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it belongs to the sample.
  "  console.error(`${error.status} ${error.code}: ${error.detail}`);",
];

const brokenExportLines = [
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: they belong to the sample.
  "  if (error instanceof ExportError) console.error(`the export is not to be used: ${error.reason}`);",
  "  else if (error instanceof ItemtapeError) console.error(`${error.status} ${error.code}: ${error.detail}`);",
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above.
  "  else throw error;",
];

function paramsOf({ parameters, body }: Documented): Record<string, unknown> {
  return { ...Object.fromEntries(parameters.map(({ name, value }) => [name, value])), ...(body as object | null) };
}

/** Writes an object literal on one line. If it does not fit after `indent` characters, each property gets a line. */
function literal(params: Record<string, unknown>, indent: number): string {
  const line = oneLine(params);
  if (indent + line.length + 2 <= lineWidth) return line;
  return `{\n${propertiesOf(params)
    .map((property) => `    ${property},\n`)
    .join("")}  }`;
}

/** Writes an object literal on one line; "" for an empty object. */
function oneLine(params: Record<string, unknown>): string {
  const properties = propertiesOf(params);
  return properties.length === 0 ? "" : `{ ${properties.join(", ")} }`;
}

function propertiesOf(params: Record<string, unknown>): string[] {
  return Object.entries(params).map(([name, value]) => `${name}: ${valueText(value)}`);
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(valueText).join(", ")}]` : JSON.stringify(value);
}
