#!/bin/sh
# {{operationId}}: {{summary}}.
# {{terms}}
# {{pages}}
set -eu
{{key}}
{{curl}} --fail-with-body --silent --show-error --max-time 30 --write-out '\n' \
  --request {{method}} \
{{?body}}  --header 'Content-Type: application/json' \
  --data {{body}} \
  {{target}}
