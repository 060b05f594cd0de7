import { type Documented, termsOf } from "../documented.ts";
import { exampleTarget, pagesNote } from "./target.ts";

/** A script for a POSIX shell. A refusal is printed as the server sent it. */
export function curlSample(operation: Documented, base: string): string {
  const isProtected = operation.plan !== "none";
  const note = pagesNote(operation);
  const head = [
    "#!/bin/sh",
    `# ${operation.operationId}: ${operation.summary}.`,
    `# ${termsOf(operation)}`,
    ...(note === null ? [] : [`# ${note}`]),
    "set -eu",
    ...(isProtected ? keyLines : []),
  ];
  const target = quoted(base + exampleTarget(operation));
  const call = isProtected ? `${keyOnStdin("key")} | curl --config -` : "curl";
  if (operation.isStream) return `${[...head, ...exportLines(operation.method, target, call)].join("\n")}\n`;
  const parts = [
    `${call} --fail-with-body --silent --show-error --max-time 30 --write-out '\\n'`,
    ...(operation.body === null
      ? operation.method === "GET"
        ? []
        : [`--request ${operation.method}`]
      : ["--header 'Content-Type: application/json'", `--data ${quoted(JSON.stringify(operation.body))}`]),
    target,
  ];
  return `${[...head, parts.join(" \\\n  ")].join("\n")}\n`;
}

/** The line of a curl configuration that sends the key in `variable`, printed by the shell itself: arguments of a process are for all to read. */
export function keyOnStdin(variable: string): string {
  return `printf 'header = "Authorization: Bearer %s"\\n' "$${variable}"`;
}

const keyLines = [
  `: "\${ITEMTAPE_API_KEY:?must hold your key}"`,
  `key=$(printf %s "$ITEMTAPE_API_KEY" | tr -d '\\r\\n')`,
  "case $key in",
  `  '' | *[!A-Za-z0-9_-]*) echo "ITEMTAPE_API_KEY must hold your key and nothing else" >&2; exit 1 ;;`,
  "esac",
  "# The key goes in by standard input: other users can read a command line.",
];

/** Downloads beside the file, and gives it its name only once the records were found complete. */
function exportLines(method: string, target: string, call: string): string[] {
  const parts = [
    `${call} --fail-with-body --silent --show-error --max-time 150 --compressed --output "$part"`,
    `--request ${method}`,
    `${target} || { cat "$part" >&2; exit 1; }`,
  ];
  return [
    "file=market.ndjson",
    'part="$file.part"',
    `trap 'rm -f "$part"' EXIT`,
    parts.join(" \\\n  "),
    "# HTTP 200 alone proves nothing: only a matching end record does.",
    `[ -z "$(tail -c 1 "$part")" ] || { echo "the export is not to be used: its last record is cut" >&2; exit 1; }`,
    `awk '${verifier}' "$part"`,
    'mv "$part" "$file"',
  ];
}

const verifier = `
  function text(name) {
    if (!match($0, "\\"" name "\\":\\"[^\\"]*\\"")) return ""
    return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
  }
  function number(name) {
    if (!match($0, "\\"" name "\\":[0-9]+")) return -1
    return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
  }
  function refuse(why) { if (fault == "") fault = why }
  { if (ended) refuse("a record after end") }
  length($0) > 262144 { refuse("a record of more than 256 KiB") }
  NR == 1 {
    if ($0 !~ /^[{]"type":"start",.*[}]$/) refuse("no start record")
    request = text("request_id"); generation = text("generation"); last_possible = number("catalog_max_item_id")
    next
  }
  /^[{]"type":"item",.*[}]$/ {
    id = number("item_id"); items += 1
    if (id <= last || id > last_possible) refuse("item_id " id " out of order")
    last = id
    next
  }
  /^[{]"type":"end",.*[}]$/ {
    ended = 1
    if (text("request_id") != request || text("generation") != generation) refuse("another export ends here")
    if (number("items") != items + 0) refuse("items are missing")
    next
  }
  /^[{]"type":"error",/ { refuse(text("code")); next }
  { refuse("a record that is none") }
  END {
    if (!ended) refuse("the stream broke off before its end record")
    if (fault != "") { print "the export is not to be used: " fault | "cat >&2"; exit 1 }
    print "complete: " items + 0 " items of generation " generation
  }`;

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
