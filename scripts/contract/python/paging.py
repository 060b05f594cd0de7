
_CURSOR_CHARACTERS_MAX = 512


class _Pager:
    """Follows the cursors of one list."""

    def __init__(self, operation_id: str, params: Mapping[str, Any]) -> None:
        operation = OPERATIONS.get(operation_id)
        paging = None if operation is None else operation["paging"]
        if paging is None:
            raise TypeError(f"{operation_id}: has no pages")
        self._operation_id = operation_id
        self._paging = paging
        cursor = params.get("cursor")
        self._cursor = cursor if type(cursor) is int else -1
        self._seen = {params.get("after")}

    def next(self, meta: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
        """Returns the parameter of the page after one with this `meta`; None: it was the last. Raises TransportError `paging`."""
        if self._paging == "cursor":
            cursor = meta.get("next_cursor", "")
            if cursor is None:
                return None
            if type(cursor) is not int or not 0 <= cursor <= _ITEM_ID_MAX:
                raise self._broken("`meta.next_cursor` is neither an item id nor null")
            if cursor <= self._cursor:
                raise self._broken("`meta.next_cursor` does not advance")
            self._cursor = cursor
            return {"cursor": cursor}
        after = meta.get("next_page", "")
        if after is None:
            return None
        if not isinstance(after, str) or not 0 < len(after) <= _CURSOR_CHARACTERS_MAX:
            raise self._broken("`meta.next_page` is neither a cursor nor null")
        if after in self._seen:
            raise self._broken("`meta.next_page` is repeated")
        self._seen.add(after)
        return {"after": after}

    def _broken(self, why: str) -> TransportError:
        return TransportError("paging", f"{self._operation_id}: the list does not end: {why}")
