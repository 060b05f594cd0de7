// Each language of the samples has a file of its own.
import { type Documented, termsOf } from "../documented.ts";
import { exampleTarget, pagesNote } from "./target.ts";
import { readTemplate } from "./template.ts";

const callTemplate = readTemplate("call.sh");
const exportTemplate = readTemplate("export.sh");
const keyLines = readTemplate("key.sh")({}).trimEnd();

/** Writes a script for a POSIX shell. It prints a refusal as the server sent it. */
export function curlSample(operation: Documented, base: string): string {
  const { operationId, summary, plan, method, body, isExport } = operation;
  const isProtected = plan !== "none";
  const template = isExport ? exportTemplate : callTemplate;
  return template({
    operationId,
    summary,
    terms: termsOf(operation),
    pages: pagesNote(operation),
    key: isProtected ? keyLines : null,
    curl: isProtected ? `${keyOnStdin("key")} | curl --config -` : "curl",
    // Implied by GET, and by the data of a call.
    method: method === "GET" || (body !== null && !isExport) ? null : method,
    body: body === null ? null : quoted(JSON.stringify(body)),
    target: quoted(base + exampleTarget(operation)),
  });
}

/** Writes the shell's own line of curl configuration with the key in `variable`: arguments of a process are for all to read. */
function keyOnStdin(variable: string): string {
  return `printf 'header = "Authorization: Bearer %s"\\n' "$${variable}"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
