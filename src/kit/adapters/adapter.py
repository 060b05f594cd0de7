# Adapter of the conformance kit for the Python client. Put your own client in its place.
# itemtape kit run --client "python3 adapter.py", with itemtape.py in the same folder
import json
import sys

from itemtape import ExportError, Itemtape, ItemtapeError, RetryPolicy, TransportError


def result_of(call, base_url, key, operation, parameters, deadline_ms, body={}, rounds=1, **_):
    client = Itemtape(base_url, api_key=key, retry=RetryPolicy(total_s=deadline_ms / 1000))
    params = {**parameters, **body}
    if call == "operation":
        return client.call(operation, params).data
    if call == "pages":
        return list(client.rows(operation, params))
    if call == "follow":
        follower = client.follow(stream_s=deadline_ms / 1000)
        market = [next(follower) for _ in range(rounds)][-1]
        return {"count": len(market.items), "next": market.generation, "sha256": market.digest}
    if operation == "streamHistoryDay":
        day = client.export_day(**params, stream_s=deadline_ms / 1000)
        return {"count": len(day.rows), "sha256": day.end["digest"]}
    market = client.export_market(stream_s=deadline_ms / 1000)
    return {"count": len(market.items), "sha256": market.digest.digest}


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"value": result_of(**request)}
    except ItemtapeError as error:
        answer = {"problem": {"code": error.code, "status": error.status}}
    except (ExportError, TransportError):
        answer = {"problem": {"code": None, "status": None}}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
