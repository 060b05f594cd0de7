"""Client of an Itemtape server: typed calls, retries, lists and verified exports.

One file for Python 3.9 and later that needs the standard library only. Take it from the server that you call:

    curl -O http://127.0.0.1:8080/client/itemtape.py

    import os
    from itemtape import Itemtape

    client = Itemtape("http://127.0.0.1:8080", api_key=os.environ["ITEMTAPE_API_KEY"])
    print(client.get_item(445).data["market_hash_name"])
    for item in client.list_items_rows(q="karambit"):
        print(item["item_id"], item["phase"])
"""
# Made from openapi.yaml and scripts/contract/python by `npm run generate`; edit those instead.
from __future__ import annotations

import email.utils
import hashlib
import http.client
import json
import math
import random
import re
import socket
import ssl
import time
import zlib
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Callable, Dict, Generic, Iterable, Iterator, List, Literal, Mapping, NoReturn, Optional, Tuple, TypedDict, TypeVar, Union
from urllib.parse import quote, urlsplit

