// Each language of the samples has a file of its own.
import { type Documented, termsOf } from "../documented.ts";
import { exampleTarget, pagesNote } from "./target.ts";
import { readTemplate } from "./template.ts";

const callTemplate = readTemplate("call.sh");
const exportTemplate = readTemplate("export.sh");
const keyLines = readTemplate("key.sh")({}).trimEnd();

/** Writes a POSIX shell script, which prints a refusal as received. */
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
    // GET is curl's default, and a body implies POST.
    method: method === "GET" || (body !== null && !isExport) ? null : method,
    body: body === null ? null : quoted(JSON.stringify(body)),
    target: quoted(base + exampleTarget(operation)),
  });
}

/** Writes the line that passes the key in `variable` to curl on standard input. Other users could read it in process arguments. */
function keyOnStdin(variable: string): string {
  return `printf 'header = "Authorization: Bearer %s"\\n' "$${variable}"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
