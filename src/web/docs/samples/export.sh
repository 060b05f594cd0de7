#!/bin/sh
# {{operationId}}: {{summary}}.
# {{terms}}
# {{pages}}
set -eu
{{key}}
file=market.ndjson
part="$file.part"
trap 'rm -f "$part"' EXIT
{{curl}} --fail-with-body --silent --show-error --max-time 150 --compressed --output "$part" \
  --request {{method}} \
  {{target}} || { cat "$part" >&2; exit 1; }
# HTTP 200 alone proves nothing: only a matching end record does.
[ -z "$(tail -c 1 "$part")" ] || { echo "the export is not to be used: its last record is cut" >&2; exit 1; }
awk '
  function text(name) {
    if (!match($0, "\"" name "\":\"[^\"]*\"")) return ""
    return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
  }
  function number(name) {
    if (!match($0, "\"" name "\":[0-9]+")) return -1
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
  }' "$part"
mv "$part" "$file"
