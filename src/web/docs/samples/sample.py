"""{{operationId}}: {{summary}}.

{{terms}}
{{pages}}
"""
import http.client
import json
{{?os}}import os
import sys
import urllib.error
import urllib.request

BASE = {{base}}


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key must not travel to another server."""

    def redirect_request(self, *_):
        return None


{{copyExport}}
{{?stream}}
{{?stream}}
{{?key}}key = os.environ.get("ITEMTAPE_API_KEY", "").strip()
{{?key}}# A header that is refused would be printed with the key in it.
{{?key}}if not (key and key.isascii() and key.isprintable()):
{{?key}}    sys.exit("ITEMTAPE_API_KEY must hold your key")
request = urllib.request.Request(
    BASE + {{target}},
    method={{method}},
    data=json.dumps({{body}}).encode(),
    headers={{{headers}}},
)
{{?stream}}part = "market.ndjson.part"
try:
    with urllib.request.build_opener(NoRedirects).open(request, timeout=30) as answer:
{{?stream}}        with open(part, "wb") as file:
{{?stream}}            generation, items = copy_export(answer, file)
{{?stream}}    os.replace(part, "market.ndjson")
{{?call}}        body = json.load(answer)
except urllib.error.HTTPError as refusal:
    if refusal.headers.get_content_type() != "application/problem+json":
        sys.exit(f"HTTP {refusal.code}")
    problem = json.load(refusal)
    sys.exit(f"{problem['status']} {problem['code']}: {problem.get('detail')}")
except (OSError, http.client.HTTPException) as error:
    sys.exit(f"no whole answer: {error!r}")
{{?stream}}except (ValueError, KeyError, TypeError, AttributeError) as fault:
{{?stream}}    sys.exit(f"the export is not to be used: {fault}")
{{?stream}}finally:
{{?stream}}    if os.path.exists(part):
{{?stream}}        os.remove(part)
{{?stream}}print(f"complete: {items} items of generation {generation}")
{{?call}}print(json.dumps(body, indent=2))
