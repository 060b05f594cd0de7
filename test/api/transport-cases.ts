import { words } from "../support/words.ts";

/** `close`: the connection ends without an answer. */
export type TransportCase = {
  title: string;
  bytes: string | Buffer;
  expect: "malformed_request" | "credential_in_url" | "endpoint_not_found" | "close";
  detail?: string;
};

const live = `itemtape_live_${"A".repeat(36)}`;
const host = "Host: 127.0.0.1\r\n";

const badEncodings = words(`
  % %z %zz %1 %0g %%20 %u0041 100% %E0%A4%A %-1 %+1 %00 a%00b %C0%AF %C0%80 %C1%BF %E0%80%AF %F0%80%80%AF
  %F8%88%80%80%80 %ED%A0%80 %ED%BF%BF %F4%90%80%80 %FF %FE %80 %C3 %C3%28 %E2%82 %E2%28%A1
`);

const credentials: [string, string][] = [
  ["in the query", `/v1/items?key=${live}`],
  ["as a query key", `/v1/items?${live}=1`],
  ["in the path", `/v1/items/${live}`],
  ["of an unknown path", `/${live}`],
  ["of a personal token", `/v1/status?t=itemtape_pat_${"B".repeat(36)}`],
  ["cut short", "/v1/items?key=itemtape_live_"],
  ["in capitals", "/v1/items?key=ITEMTAPE_LIVE_x"],
  ["with an encoded letter", "/v1/items?key=item%74ape_live_x"],
  ["with an encoded underscore", "/v1/items?key=itemtape%5flive%5Fx"],
  ["encoded twice", "/v1/items?key=itemtape%255Flive_x"],
  ["encoded three times", "/v1/items?key=itemtape%25255Flive_x"],
  ["beside malformed encoding", `/v1/items?x=%zz&key=${live}`],
  ["beside invalid UTF-8", `/v1/items?x=%FF&key=itemtape%5Flive_x`],
  ["on a page", `/problems?key=${live}`],
];

const targets: [string, string][] = [
  ["absolute", "http://127.0.0.1/v1/status"],
  ["absolute of another host", "http://evil.example/v1/items"],
  ["absolute https", "https://127.0.0.1/v1/status"],
  ["an asterisk", "*"],
  ["with a fragment", "/v1/status#x"],
  ["with raw UTF-8", "/v1/items?q=é"],
  ["with a raw control byte", "/v1/items?q=\x01"],
  ["with a raw NUL", "/v1/items?q=\0"],
  ["with a raw DEL", "/v1/items?q=\x7f"],
  ["with a raw tab", "/v1/items?q=a\tb"],
  ["with a raw space", "/v1/items?q=a b"],
];

const versions = [
  "HTTP/0.9",
  "HTTP/1.2",
  "HTTP/2.0",
  "HTTP/3.0",
  "HTTP/1.10",
  "HTTP/11",
  "http/1.1",
  "HTTPS/1.1",
  "ICE/1.0",
  "",
];

const headerBlocks: [string, string][] = [
  ["no Host", ""],
  ["two Hosts", `${host}${host}`],
  ["two Hosts in other letters", `${host}hOsT: 127.0.0.1\r\n`],
  ["an empty Host", "Host:\r\n"],
  ["a Host with a path", "Host: a/b\r\n"],
  ["a Host with a user", "Host: u@a\r\n"],
  ["a Host list", "Host: a, b\r\n"],
  ["a Host with a wrong port", "Host: a:123456\r\n"],
  ["two Authorizations", `${host}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n`],
  ["two equal Authorizations", `${host}Authorization: Bearer a\r\nauthorization: Bearer a\r\n`],
  ["two Content-Lengths", `${host}Content-Length: 0\r\nContent-Length: 5\r\n`],
  ["two equal Content-Lengths", `${host}Content-Length: 0\r\nContent-Length: 0\r\n`],
  ["a Content-Length list", `${host}Content-Length: 0, 0\r\n`],
  ["a negative Content-Length", `${host}Content-Length: -1\r\n`],
  ["a signed Content-Length", `${host}Content-Length: +1\r\n`],
  ["a hexadecimal Content-Length", `${host}Content-Length: 0x1\r\n`],
  ["an endless Content-Length", `${host}Content-Length: 99999999999999999999999\r\n`],
  ["Content-Length and Transfer-Encoding", `${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`],
  ["Transfer-Encoding gzip", `${host}Transfer-Encoding: gzip\r\n`],
  ["Transfer-Encoding chunked, identity", `${host}Transfer-Encoding: chunked, identity\r\n`],
  ["Transfer-Encoding xchunked", `${host}Transfer-Encoding: xchunked\r\n`],
  ["a folded header", `${host}X-A: b\r\n c\r\n`],
  ["a space before the colon", `${host}X-A : b\r\n`],
  ["a space before Host's colon", "Host : a\r\n"],
  ["a header without a colon", `${host}nonsense\r\n`],
  ["a header without a name", `${host}: b\r\n`],
  ["a NUL in a header", `${host}X-A: a\0b\r\n`],
  ["a control byte in a header's name", `${host}X\x01A: b\r\n`],
  ["a bare line feed", `${host}X-A: b\nX-B: c\r\n`],
  ["a bare carriage return", `${host}X-A: b\rX-B: c\r\n`],
  ["101 headers", host + "X-A: b\r\n".repeat(100)],
  ["1,000 headers", host + "A:b\r\n".repeat(999)],
  ["9 KiB of headers", `${host}X-A: ${"a".repeat(9_216)}\r\n`],
  ["17 KiB of headers", `${host}X-A: ${"a".repeat(17_408)}\r\n`],
  ["a header name of 9 KiB", `${host}${"a".repeat(9_216)}: b\r\n`],
  ["an unknown expectation", `${host}Expect: the-spanish-inquisition\r\n`],
  ["a body", `${host}Content-Length: 5\r\n`],
  ["a body in chunks", `${host}Transfer-Encoding: chunked\r\n`],
];

const refusedByParser = new Set([
  "1,000 headers",
  "9 KiB of headers",
  "a NUL in a header",
  "a space before the colon",
  "Content-Length and Transfer-Encoding",
]);

const otherBytes: [string, string | Buffer][] = [
  ["a TLS greeting", Buffer.from("16030100c8010000c40303", "hex")],
  ["an SSH greeting", "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
  ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["zeros", Buffer.alloc(64)],
  ["a line of words", "hello there\r\n\r\n"],
  ["an unknown method", `BREW /v1/status HTTP/1.1\r\n${host}\r\n`],
  ["a method in small letters", `get /v1/status HTTP/1.1\r\n${host}\r\n`],
  ["a method alone", "GET\r\n\r\n"],
  ["a target of 9 KiB", `GET /v1/items?q=${"a".repeat(9_216)} HTTP/1.1\r\n${host}\r\n`],
  ["a body at a page", `GET / HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\nhi`],
  ["a body at HEAD", `HEAD /v1/status HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\nhi`],
  ...headerBlocks
    .filter(([title]) => refusedByParser.has(title))
    .map(([title, block]): [string, string] => [`${title} at HEAD`, `HEAD /v1/status HTTP/1.1\r\n${block}\r\n`]),
  ["a target of 9 KiB at HEAD", `HEAD /v1/items?q=${"a".repeat(9_216)} HTTP/1.1\r\n${host}\r\n`],
  ["a wrong version at HEAD", `HEAD /v1/status HTTP/3.0\r\n${host}\r\n`],
  ["a body at the export", `POST /v1/markets/snapshot HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\n{}`],
  [
    "a body in chunks at the export",
    `POST /v1/markets/snapshot HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ],
];

const misses: [string, string][] = [
  ...["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"].map((method): [string, string] => [
    method,
    "/v1/items",
  ]),
  ...["GET", "HEAD", "PUT", "OPTIONS"].map((method): [string, string] => [method, "/v1/markets/snapshot"]),
  ...["POST", "OPTIONS", "DELETE"].map((method): [string, string] => [method, "/openapi.json"]),
  ...words(`
  /v1 /v1/ /v1/items/ /v1/items// /v1/items/1/ /v1//items //v1/items /V1/items /v1/Items /v1/%69tems
`).map((path): [string, string] => ["GET", path]),
  ...words(`
  /v1/items/1/markets/2 /v2/items /.git/config /.. /openapi.json/ /problems/nope /problems/__proto__
  /PROBLEMS /favicon.ico /sandbox/ /sandbox/keys
`).map((path): [string, string] => ["GET", path]),
];

export const transportCases: readonly TransportCase[] = [
  ...badEncodings.flatMap((bad): TransportCase[] => [
    { title: `path ${bad}`, bytes: get(`/v1/items/${bad}`), expect: "malformed_request", detail: "path: " },
    { title: `query ${bad}`, bytes: get(`/v1/items?q=${bad}`), expect: "malformed_request", detail: "query string: " },
  ]),
  ...credentials.map(
    ([title, path]): TransportCase => ({ title: `a key ${title}`, bytes: get(path), expect: "credential_in_url" }),
  ),
  ...targets.map(
    ([title, path]): TransportCase => ({ title: `a target ${title}`, bytes: get(path), expect: "malformed_request" }),
  ),
  ...versions.map(
    (version): TransportCase => ({
      title: `version "${version}"`,
      bytes: `GET /v1/status ${version}\r\n${host}\r\n`,
      expect: "malformed_request",
    }),
  ),
  ...headerBlocks.map(
    ([title, block]): TransportCase => ({
      title,
      bytes: `GET /v1/status HTTP/1.1\r\n${block}\r\n`,
      expect: "malformed_request",
    }),
  ),
  ...otherBytes.map(([title, bytes]): TransportCase => ({ title, bytes, expect: "malformed_request" })),
  ...misses.map(
    ([method, path]): TransportCase => ({
      title: `${method} ${path}`,
      bytes: `${method} ${path} HTTP/1.1\r\n${host}\r\n`,
      expect: "endpoint_not_found",
    }),
  ),
  { title: "a tunnel", bytes: `CONNECT 127.0.0.1:443 HTTP/1.1\r\n${host}\r\n`, expect: "close" },
];

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\n${host}\r\n`;
}
