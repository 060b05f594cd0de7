// Each language of the samples has a file of its own.
import { type Documented, termsOf } from "../documented.ts";
import { exampleTarget } from "./target.ts";
import { readTemplate } from "./template.ts";

const template = readTemplate("sample.py");
const copyExport = readTemplate("copy_export.py")({}).trimEnd();

/** Writes a program for Python 3.8 or later that only needs the standard library. */
export function pythonSample(operation: Documented, base: string): string {
  const { operationId, summary, plan, method, body, paging, isStream, isExport } = operation;
  const isProtected = plan !== "none";
  const headers = [
    ...(isProtected ? [`"Authorization": f"Bearer {key}"`] : []),
    ...(body === null ? [] : [`"Content-Type": "application/json"`]),
  ];
  return template({
    operationId,
    summary,
    terms: termsOf(operation),
    base: JSON.stringify(base),
    target: paging === null ? JSON.stringify(exampleTarget(operation)) : "target",
    paged: paging === null ? null : "",
    in: paging === null ? "" : "    ",
    first: JSON.stringify(exampleTarget(operation)),
    next: paging?.meta ?? null,
    as: paging?.parameter ?? null,
    method: method === "GET" ? null : `"${method}"`,
    body: body === null ? null : pythonLiteral(body),
    headers: headers.length === 0 ? null : headers.join(", "),
    key: isProtected ? "" : null,
    os: isProtected || isExport ? "" : null,
    call: isStream || paging !== null ? null : "",
    print: isExport ? null : "",
    lines: isStream && !isExport ? "" : null,
    export: isExport ? "" : null,
    copyExport: isExport ? copyExport : null,
  });
}

/** Converts a JSON value to a Python literal. Only true, false and null differ. */
function pythonLiteral(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one)}`);
  return `{${entries.join(", ")}}`;
}
