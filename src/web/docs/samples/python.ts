import { type Documented, termsOf } from "../documented.ts";
import { exampleTarget, pagesNote } from "./target.ts";

/** A program for Python 3.8 or later and its standard library. */
export function pythonSample(operation: Documented, base: string): string {
  const isProtected = operation.plan !== "none";
  const note = pagesNote(operation);
  const lines = [
    `"""${operation.operationId}: ${operation.summary}.`,
    "",
    termsOf(operation),
    ...(note === null ? [] : [note]),
    `"""`,
    "import http.client",
    "import json",
    ...(isProtected || operation.isStream ? ["import os"] : []),
    "import sys",
    "import urllib.error",
    "import urllib.request",
    "",
    `BASE = ${JSON.stringify(base)}`,
    "",
    "",
    ...noRedirect,
    "",
    "",
    ...(operation.isStream ? [...readExport, "", ""] : []),
    ...(isProtected ? keyLines : []),
    ...requestLines(operation, isProtected),
    ...(operation.isStream ? exportLines : callLines),
  ];
  return `${lines.join("\n")}\n`;
}

const noRedirect = [
  "class NoRedirects(urllib.request.HTTPRedirectHandler):",
  '    """The key must not travel to another server."""',
  "",
  "    def redirect_request(self, *_):",
  "        return None",
];

const keyLines = [
  'key = os.environ.get("ITEMTAPE_API_KEY", "").strip()',
  "# A header that is refused would be printed with the key in it.",
  "if not (key and key.isascii() and key.isprintable()):",
  '    sys.exit("ITEMTAPE_API_KEY must hold your key")',
];

function requestLines(operation: Documented, isProtected: boolean): string[] {
  const { method, body } = operation;
  const headers = [
    ...(isProtected ? [`"Authorization": f"Bearer {key}"`] : []),
    ...(body === null ? [] : [`"Content-Type": "application/json"`]),
  ];
  return [
    "request = urllib.request.Request(",
    `    BASE + ${JSON.stringify(exampleTarget(operation))},`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    ...(body === null ? [] : [`    data=json.dumps(${pythonLiteral(body)}).encode(),`]),
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(", ")}},`]),
    ")",
  ];
}

const refusalLines = [
  "except urllib.error.HTTPError as refusal:",
  '    if refusal.headers.get_content_type() != "application/problem+json":',
  '        sys.exit(f"HTTP {refusal.code}")',
  "    problem = json.load(refusal)",
  `    sys.exit(f"{problem['status']} {problem['code']}: {problem.get('detail')}")`,
  "except (OSError, http.client.HTTPException) as error:",
  '    sys.exit(f"no whole answer: {error!r}")',
];

const callLines = [
  "try:",
  "    with urllib.request.build_opener(NoRedirects).open(request, timeout=30) as answer:",
  "        body = json.load(answer)",
  ...refusalLines,
  "print(json.dumps(body, indent=2))",
];

/** The file gets its name only once the records were found complete. */
const exportLines = [
  'part = "market.ndjson.part"',
  "try:",
  "    with urllib.request.build_opener(NoRedirects).open(request, timeout=30) as answer:",
  '        with open(part, "wb") as file:',
  "            generation, items = copy_export(answer, file)",
  '    os.replace(part, "market.ndjson")',
  ...refusalLines,
  "except (ValueError, KeyError, TypeError, AttributeError) as fault:",
  '    sys.exit(f"the export is not to be used: {fault}")',
  "finally:",
  "    if os.path.exists(part):",
  "        os.remove(part)",
  'print(f"complete: {items} items of generation {generation}")',
];

const readExport = [
  "def copy_export(lines, file):",
  '    """HTTP 200 alone proves nothing: only a matching end record does. ValueError: not to be used."""',
  "    start, end, last, items = None, None, 0, 0",
  "    while line := lines.readline(262145):",
  "        record = json.loads(line)",
  '        kind = record.get("type")',
  "        if end is not None:",
  '            raise ValueError("a record after end")',
  '        if len(line) > 262145 or not line.endswith(b"\\n"):',
  '            raise ValueError("a record that is cut or has more than 256 KiB")',
  '        if kind == "error":',
  `            raise ValueError(record["code"])`,
  '        if (kind == "start") != (start is None):',
  '            raise ValueError("not exactly one start record, as the first")',
  '        if kind == "start":',
  "            start = record",
  '        elif kind == "item":',
  '            item_id = record["data"]["item_id"]',
  '            if not last < item_id <= start["catalog_max_item_id"]:',
  '                raise ValueError(f"item_id {item_id} out of order")',
  "            last, items = item_id, items + 1",
  '        elif kind == "end":',
  "            end = record",
  "        else:",
  '            raise ValueError(f"an unknown record: {kind}")',
  "        file.write(line)",
  "    if end is None:",
  '        raise ValueError("the stream broke off before its end record")',
  '    if any(start[name] != end[name] for name in ("request_id", "generation")) or end["items"] != items:',
  '        raise ValueError("the end record does not match")',
  '    return start["generation"], items',
];

/** JSON is Python but for its three words. */
function pythonLiteral(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one)}`);
  return `{${entries.join(", ")}}`;
}
