"""{{operationId}}: {{summary}}.

{{terms}}
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
{{?export}}
{{?export}}
{{?key}}key = os.environ.get("ITEMTAPE_API_KEY", "").strip()
{{?key}}# A header that is refused would be printed with the key in it.
{{?key}}if not (key and key.isascii() and key.isprintable()):
{{?key}}    sys.exit("ITEMTAPE_API_KEY must hold your key")
{{?paged}}
{{?paged}}
{{?paged}}def ask(target):
{{?paged}}    """Returns the answer, or ends the program with the reason why there is none."""
{{in}}request = urllib.request.Request(
{{in}}    BASE + {{target}},
{{in}}    method={{method}},
{{in}}    data=json.dumps({{body}}).encode(),
{{in}}    headers={{{headers}}},
{{in}})
{{?export}}part = "market.ndjson.part"
{{in}}try:
{{in}}    with urllib.request.build_opener(NoRedirects).open(request, timeout=30) as answer:
{{?export}}        with open(part, "wb") as file:
{{?export}}            generation, items = copy_export(answer, file)
{{?export}}    os.replace(part, "market.ndjson")
{{?paged}}            return json.load(answer)
{{?call}}        body = json.load(answer)
{{?lines}}        lines = answer.read().splitlines()
{{in}}except urllib.error.HTTPError as refusal:
{{in}}    if refusal.headers.get_content_type() != "application/problem+json":
{{in}}        sys.exit(f"HTTP {refusal.code}")
{{in}}    problem = json.load(refusal)
{{in}}    sys.exit(f"{problem['status']} {problem['code']}: {problem.get('detail')}")
{{in}}except (OSError, http.client.HTTPException) as error:
{{in}}    sys.exit(f"no whole answer: {error!r}")
{{?export}}except (ValueError, KeyError, TypeError, AttributeError) as fault:
{{?export}}    sys.exit(f"the export is not to be used: {fault}")
{{?export}}finally:
{{?export}}    if os.path.exists(part):
{{?export}}        os.remove(part)
{{?export}}print(f"complete: {items} items of generation {generation}")
{{?lines}}# HTTP 200 alone proves nothing: only an end record does.
{{?lines}}if not lines or json.loads(lines[-1]).get("type") != "end":
{{?lines}}    sys.exit("the stream is not to be used: it has no end record")
{{?paged}}
{{?paged}}
{{?print}}if hasattr(sys.stdout, "reconfigure"):
{{?print}}    sys.stdout.reconfigure(encoding="utf-8")
{{?lines}}print(b"\n".join(lines).decode())
{{?call}}print(json.dumps(body, indent=2, ensure_ascii=False))
{{?paged}}position = ""
{{?paged}}while position is not None:
{{?paged}}    body = ask({{first}} + position)
{{?paged}}    print(json.dumps(body, indent=2, ensure_ascii=False))
{{?paged}}    following = body["meta"]["{{next}}"]
{{?paged}}    position = None if following is None else f"&{{as}}={following}"
{{?paged}}    break  # This is one page. Without this line all are read, each with a request of its own.
