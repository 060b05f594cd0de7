def copy_export(lines, file):
    """HTTP 200 alone proves nothing: only a matching end record does. ValueError: not to be used."""
    start, end, last, items = None, None, 0, 0
    while line := lines.readline(262145):
        record = json.loads(line)
        kind = record.get("type")
        if end is not None:
            raise ValueError("a record after end")
        if len(line) > 262145 or not line.endswith(b"\n"):
            raise ValueError("a record that is cut or has more than 256 KiB")
        if kind == "error":
            raise ValueError(record["code"])
        if (kind == "start") != (start is None):
            raise ValueError("not exactly one start record, as the first")
        if kind == "start":
            start = record
        elif kind == "item":
            item_id = record["data"]["item_id"]
            if not last < item_id <= start["catalog_max_item_id"]:
                raise ValueError(f"item_id {item_id} out of order")
            last, items = item_id, items + 1
        elif kind == "end":
            end = record
        else:
            raise ValueError(f"an unknown record: {kind}")
        file.write(line)
    if end is None:
        raise ValueError("the stream broke off before its end record")
    if any(start[name] != end[name] for name in ("request_id", "generation")) or end["items"] != items:
        raise ValueError("the end record does not match")
    return start["generation"], items
