"""Verifies the newest manifest of a release folder, and its dataset/index.json, by The Update Framework.

usage: python3 verify-release.py ADDRESS TRUST MEMORY

ADDRESS is the folder's address with a final slash, TRUST the text of `release root show`. The folder MEMORY
remembers the newest signatures, so that older ones are refused. Needs: pip install securesystemslib[crypto]
"""

import hashlib, json, os, sys, urllib.error, urllib.request
from datetime import datetime, timezone
from pathlib import Path
from securesystemslib.formats import encode_canonical
from securesystemslib.signer import Key, Signature

LIMITS = {"root": 512_000, "timestamp": 16_384, "snapshot": 2_000_000, "targets": 5_000_000}

def require(is_met, reason):
    if not is_met:
        raise ValueError(reason)

def read(address, limit):
    """Returns a file, or None if it is missing."""
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            data = answer.read(limit + 1)
    except urllib.error.URLError as error:
        if getattr(error, "code", None) in (404, 410) or isinstance(error.reason, FileNotFoundError):
            return None
        raise
    require(len(data) <= limit, f"{address} has more than {limit} bytes")
    return data

def load(address, meta, limit):
    """Returns a file with the length and digests that another file has signed."""
    data = read(address, min(limit, meta.get("length", limit)))
    require(data is not None, f"{address} is missing")
    digests = {kind: hashlib.new(kind, data).hexdigest() for kind in meta.get("hashes", {})}
    require(digests == meta.get("hashes", {}), f"{address} has another digest")
    require(len(data) == meta.get("length", len(data)), f"{address} has another length")
    return data

def count_signatures(role, metadata, root):
    body, count = encode_canonical(metadata["signed"]).encode(), 0
    signatures = {one["keyid"]: one["sig"] for one in metadata["signatures"]}
    for keyid in set(root["roles"][role]["keyids"]) & set(signatures):
        key = root["keys"][keyid]
        try:
            Key.from_dict(keyid, dict(key)).verify_signature(Signature(keyid, signatures[keyid]), body)
        except Exception:  # Any error of the library means that the signature does not count.
            continue
        count += hashlib.sha256(encode_canonical(key).encode()).hexdigest() == keyid
    return count

def signed(role, data, *roots):
    """Returns the content of a file of metadata, which the keys of each root must have signed."""
    metadata = json.loads(data)
    for root in roots:
        is_signed = count_signatures(role, metadata, root) >= max(1, root["roles"][role]["threshold"])
        require(is_signed, f"the {role} is not signed as root {root['version']} demands")
    require(metadata["signed"]["_type"] == role, f"the {role} has another type")
    return metadata["signed"]

def versions(content):
    return [content["version"], *(content["meta"][path]["version"] for path in sorted(content.get("meta", {})))]

def verify(address, trust, memory):
    """Returns the content of each verified target by its path."""
    memory = Path(memory)
    memory.mkdir(parents=True, exist_ok=True)

    def keep(role, data, content):
        (memory / "part").write_bytes(data)
        os.replace(memory / "part", memory / f"{role}.json")
        return content

    def refuse_expired(role, content):
        ends = datetime.strptime(content["expires"], "%Y-%m-%dT%H:%M:%S%z")
        require(ends > datetime.now(timezone.utc), f"the {role} expired at {content['expires']}")

    def update(role, name, meta):
        data = load(f"{address}metadata/{name}", meta, LIMITS[role])
        new = signed(role, data, root)
        try:  # After a change of keys, older metadata bound nothing: a thief may have signed high versions.
            old = versions(signed(role, (memory / f"{role}.json").read_bytes(), root))
        except (OSError, ValueError):
            old = []
        is_newer = len(versions(new)) >= len(old) and all(a >= b for a, b in zip(versions(new), old))
        require(is_newer, f"the {role} is older than before")
        require(new["version"] == meta.get("version", new["version"]), f"the {role} has another version")
        refuse_expired(role, new)
        return keep(role, data, new)

    if not (memory / "root.json").exists():
        _, version, sha256 = trust.split(":")
        first = load(f"{address}metadata/{version}.root.json", {"hashes": {"sha256": sha256}}, LIMITS["root"])
        keep("root", first, None)
    root = signed("root", (memory / "root.json").read_bytes())
    while (data := read(f"{address}metadata/{root['version'] + 1}.root.json", LIMITS["root"])) is not None:
        new = signed("root", data, root, json.loads(data)["signed"])
        require(new["version"] == root["version"] + 1, f"root {root['version'] + 1} has another version")
        root = keep("root", data, new)
    refuse_expired("root", root)
    meta = update("timestamp", "timestamp.json", {})["meta"]["snapshot.json"]
    meta = update("snapshot", f"{meta['version']}.snapshot.json", meta)["meta"]["targets.json"]
    targets = update("targets", f"{meta['version']}.targets.json", meta)["targets"]
    named = {path: "/{hashes[sha256]}.".format(**meta).join(path.rsplit("/", 1)) for path, meta in targets.items()}
    return {path: load(address + named[path], meta, meta["length"]) for path, meta in targets.items()}

if __name__ == "__main__":
    try:
        for path, data in verify(*sys.argv[1:]).items():
            print(path, hashlib.sha256(data).hexdigest(), len(data), "bytes")
    except Exception as error:
        sys.exit(f"refused: {error}")
