

@dataclass(frozen=True)
class _Outgoing:
    """One request as it goes out. `address` never holds the key."""

    operation_id: str
    method: str
    address: str
    target: str
    headers: Mapping[str, str]
    body: Optional[bytes]
    wait_s: float
    """Time for which it lets the server wait before the answer; the limits of its times are that much later."""


_INTEGER_MAX = 2**53 - 1
_KINDS: Dict[str, str] = {
    "integer": "an integer",
    "string": "a string of well-formed Unicode",
    "boolean": "True or False",
    "integer[]": "a list of integers",
    "string[]": "a list of strings",
}


def _is_of_kind(kind: str, value: Any) -> bool:
    if kind.endswith("[]"):
        return isinstance(value, (list, tuple)) and all(_is_of_kind(kind[:-2], one) for one in value)
    if kind == "integer":
        return type(value) is int and -_INTEGER_MAX <= value <= _INTEGER_MAX
    if kind == "boolean":
        return isinstance(value, bool)
    return isinstance(value, str) and not any("\ud800" <= one <= "\udfff" for one in value)


def _request_of(
    settings: _Settings, operation_id: str, params: Mapping[str, Any], if_none_match: Optional[str] = None
) -> _Outgoing:
    """Builds the request of an operation; parameters that are None are left out. TypeError names a wrong one."""
    operation = OPERATIONS.get(operation_id)
    if operation is None:
        raise TypeError(f"the contract has no operation {operation_id}")
    given = {name: value for name, value in params.items() if value is not None}
    _check_params(settings, operation_id, operation, given)
    body_fields = operation["body_fields"]
    body = None
    if body_fields is not None:
        fields = {name: value for name, value in given.items() if name in body_fields}
        body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "accept": f"{'application/x-ndjson' if operation['is_stream'] else 'application/json'}, application/problem+json",
        "accept-encoding": "gzip",
        "user-agent": settings.user_agent,
    }
    if settings.api_key is not None and operation["is_protected"]:
        headers["authorization"] = f"Bearer {settings.api_key}"
    if body is not None:
        headers["content-type"] = "application/json"
    if if_none_match is not None:
        if not (isinstance(if_none_match, str) and re.fullmatch(r'(?:W/)?"[!#-~]{0,200}"', if_none_match)):
            raise TypeError("if_none_match: must be the `etag` of an answer")
        headers["if-none-match"] = if_none_match
    target = _target_of(operation, given)
    address = settings.address + target
    # The service refuses longer waits.
    wait_s = float(min(max(given["wait_seconds"], 0), 30)) if "wait_seconds" in given else 0.0
    return _Outgoing(operation_id, operation["method"], address, settings.path + target, headers, body, wait_s)


def _check_params(settings: _Settings, operation_id: str, operation: Operation, given: Mapping[str, Any]) -> None:
    for name in operation["required"]:
        if name not in given:
            raise TypeError(f"{operation_id}: the parameter `{name}` is missing")
    kinds = {**operation["path_params"], **operation["query_params"], **(operation["body_fields"] or {})}
    for name, value in given.items():
        kind = kinds.get(name)
        if kind is None:
            raise TypeError(f"{operation_id}: has no parameter `{name}`")
        if not _is_of_kind(kind, value):
            raise TypeError(f"{operation_id}: the parameter `{name}` must be {_KINDS[kind]}")
        if isinstance(value, str) and _holds_key(value, settings.api_key):
            raise TypeError(f"{operation_id}: the parameter `{name}` contains an API key, which must never be in a URL")


def _target_of(operation: Operation, given: Mapping[str, Any]) -> str:
    path = operation["path"]
    for name in operation["path_params"]:
        value = str(given[name])
        # A segment of dots would make the address one of another operation.
        if value in ("", ".", ".."):
            raise TypeError(f"the parameter `{name}` must be a name, not {json.dumps(value)}")
        path = path.replace("{" + name + "}", quote(value, safe=""))
    query = [f"{name}={quote(_text_of(value), safe='')}" for name, value in given.items() if name in operation["query_params"]]
    return path + ("?" + "&".join(query) if query else "")


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
