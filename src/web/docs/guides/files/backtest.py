"""Plays one rule on past prices twice: with the prices of today, and with the prices known on each day."""

import os
import sys
from datetime import date, timedelta

from itemtape import Itemtape

item, provider, days = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
address = os.environ.get("ITEMTAPE_URL", "http://127.0.0.1:8080")
client = Itemtape(address, api_key=os.environ["ITEMTAPE_API_KEY"])
one = timedelta(days=1)
last = date.fromisoformat(client.get_daily_price_history(item, provider=provider, limit=1).meta["to"])
first = last - days * one


def asks(start, end, known_at=None):
    """Returns the ask of each day in cents, by date."""
    window = {"from_": str(start), "to": str(end)}
    rows = client.get_daily_price_history_rows(item, provider=provider, known_at=known_at, **window)
    return {date.fromisoformat(row["date"]): row["amount"] for row in rows}


paid = asks(first - 2 * one, last)


def known(day):
    """Returns the asks of the two days before, as known at noon."""
    return asks(day - 2 * one, day - one, f"{day}T12:00:00Z")


def play(seen_on):
    """Buys after a fall of 2% or more, and sells a day later at today's version of the prices."""
    trades = []
    for day in (first + number * one for number in range(days)):
        seen = seen_on(day)
        before, yesterday = seen.get(day - 2 * one), seen.get(day - one)
        if before and yesterday and yesterday <= before * 0.98 and day in paid and day + one in paid:
            trades.append(paid[day + one] - paid[day])
    return f"{len(trades)} trades, {sum(trades)} cents"


print("prices of today:", play(lambda day: paid))
print("as known then:  ", play(known))
