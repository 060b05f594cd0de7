
# First pause where the server names none; each further one is twice as long.
_BACKOFF_S = 0.5
_EXPORT_PAUSE_S = 1.0
_EXPORT_PAUSE_S_MAX = 30.0
_JITTER_S_LEAST = 0.25
_JITTER_SHARE = 0.1


def _wait_for(
    refusal: ItemtapeError, attempt: int, left_s: float, limits: Tuple[int, float], chance: float
) -> Optional[float]:
    """Returns how many seconds to wait before the same request is sent again; None: never. `limits`: most attempts, longest wait.

    Jitter makes the wait longer than what the server asks for, never shorter, so that clients that were refused together do not
    come back together.
    """
    attempts_max, wait_s_max = limits
    if refusal.status not in (429, 503) or refusal.code == "monthly_quota_exceeded" or attempt >= attempts_max:
        return None
    asked_s = refusal.retry_after_s or 0.0
    least_s = asked_s if asked_s > 0 else min(_BACKOFF_S * 2 ** (attempt - 1), wait_s_max)
    if least_s > wait_s_max or least_s >= left_s:
        return None
    jitter_s = max(_JITTER_S_LEAST, asked_s * _JITTER_SHARE) if asked_s > 0 else least_s
    # Half of what is left stays for the answer.
    return least_s + chance * min(jitter_s, (left_s - least_s) / 2)


def _pause_for(attempt: int, chance: float) -> float:
    """Returns how many seconds to wait before a whole export is begun again: the server named no time."""
    least_s = min(_EXPORT_PAUSE_S * 2 ** (attempt - 1), _EXPORT_PAUSE_S_MAX)
    return least_s + chance * least_s


def _retry_after_s(headers: Mapping[str, str], now_s: float) -> Optional[float]:
    """Returns `Retry-After` as seconds from now on, by the server's own clock where it tells its time; None: absent or no such value."""
    text = (headers.get("retry-after") or "").strip()
    if re.fullmatch(r"[0-9]+", text):
        return float(min(int(text[:16]), _INTEGER_MAX))
    at_s = _http_date(text)
    if at_s is None:
        return None
    sent_s = _http_date(headers.get("date") or "")
    return max(0.0, at_s - (now_s if sent_s is None else sent_s))


_HTTP_DATES = (
    re.compile(r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"),
    re.compile(r"[A-Z][a-z]{5,8}, [0-9]{2}-[A-Z][a-z]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"),
    re.compile(r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}"),
)


def _http_date(text: str) -> Optional[float]:
    """Parses the three forms of an HTTP date to seconds since 1970."""
    parsed = email.utils.parsedate_tz(text) if any(form.fullmatch(text) for form in _HTTP_DATES) else None
    if parsed is None:
        return None
    try:
        return float(email.utils.mktime_tz(parsed))
    except (ValueError, OverflowError):
        return None
