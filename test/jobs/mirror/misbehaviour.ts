import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import { worldAt } from "../../import/quotes/quote-world.ts";
import { answer, type Behaviour, begin } from "./feed-server.ts";
import { limits, steamBody } from "./mirror-world.ts";

/** One way in which a source can let a mirror down, and the reason that the mirror reports. */
export type Misbehaviour = { title: string; reason: RegExp; behave: Behaviour };

/** The body of the source when it works again. */
export const goodPrices = { "Item 0": 110, "Item 1": 210, "Item 2": 310, "Item 3": 410 };
const body = steamBody(goodPrices);
const half = body.slice(0, body.length / 2);
const later = steamBody(goodPrices, worldAt - hourMs + 1);
/** Many times the size limit of the mirror's feed. */
const zeros = Buffer.alloc(8 * limits.bytesMax);
const bomb = gzipSync(zeros);
/** Compressed quickly: the default quality would need most of a second. */
const brotliBomb = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const json = (value: unknown) => answer(200, JSON.stringify(value));
const metadata = { updated_at: new Date(worldAt).toISOString(), currency: "USD", item_count: 4 };

/** Sends a byte now and then: never silent, never done. */
const drip: Behaviour = begin({ "Content-Length": 100_000 }, "{", (socket) => {
  const timer = setInterval(() => socket.write(" "), 15);
  socket.once("close", () => clearInterval(timer));
});

const onTheWire: Misbehaviour[] = [
  { title: "resets before it answers", reason: /reset|failed/, behave: (socket) => void socket.resetAndDestroy() },
  { title: "closes before it answers", reason: /reset/, behave: (socket) => void socket.destroy() },
  {
    title: "resets in the middle of the body",
    reason: /cut off/,
    behave: begin(
      { "Content-Length": body.length },
      half,
      (socket) => void setTimeout(() => socket.resetAndDestroy(), 5),
    ),
  },
  {
    title: "switches protocols",
    reason: /without an answer|HTTP 101|reset|failed/,
    behave: (socket) =>
      void socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: tape\r\nConnection: Upgrade\r\n\r\n"),
  },
  { title: "stalls before it answers", reason: /sent nothing for 0\.4 s/, behave: () => undefined },
  {
    title: "stalls in the middle of the body",
    reason: /sent nothing for 0\.4 s/,
    behave: begin({ "Content-Length": body.length }, half, () => undefined),
  },
  { title: "sends too slowly", reason: /took longer than 1 s/, behave: drip },
  {
    title: "announces more bytes than it sends",
    reason: /cut off/,
    behave: answer(200, body, { "Content-Length": body.length + 10 }),
  },
  {
    title: "sends more bytes than it announces",
    reason: /not HTTP to be trusted/,
    behave: answer(200, `${body}${body}`, { "Content-Length": body.length }),
  },
  {
    title: "ends a chunked body before its last chunk",
    reason: /cut off/,
    behave: begin(
      { "Transfer-Encoding": "chunked" },
      `${body.length.toString(16)}\r\n${body}\r\n`,
      (socket) => void socket.end(),
    ),
  },
  {
    title: "announces two lengths at once",
    reason: /not HTTP to be trusted/,
    behave: answer(200, body, { "Transfer-Encoding": "chunked" }),
  },
  {
    title: "does not speak HTTP",
    reason: /not HTTP to be trusted/,
    behave: (socket) => void socket.end("220 ready\r\n\r\n"),
  },
];

const tooMuch: Misbehaviour[] = [
  {
    title: "announces a body over the limit",
    reason: /larger than 1048576 bytes/,
    behave: answer(200, "", { "Content-Length": limits.bytesMax + 1 }),
  },
  {
    title: "sends an endless body",
    reason: /larger than 1048576 bytes/,
    behave: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const more = () => socket.write(zeros.subarray(0, 65_536), () => (socket.writable ? more() : undefined));
      more();
    },
  },
  {
    title: "sends a gzip bomb",
    reason: /larger than 1048576 bytes/,
    behave: answer(200, bomb, { "Content-Encoding": "gzip" }),
  },
  {
    title: "sends a brotli bomb",
    reason: /larger than 1048576 bytes/,
    behave: answer(200, brotliBomb, { "Content-Encoding": "br" }),
  },
  {
    title: "sends a nested gzip bomb",
    reason: /larger than 1048576 bytes/,
    behave: answer(200, gzipSync(bomb), { "Content-Encoding": "gzip" }),
  },
];

const statuses: Misbehaviour[] = [
  {
    title: "redirects to another host",
    reason: /redirects to another origin \(http:\/\/localhost:1\); set that address/,
    behave: answer(302, "", { Location: "http://localhost:1/feed.json" }),
  },
  {
    title: "redirects to the same host by another scheme",
    reason: /redirects to another origin \(https:/,
    behave: (socket, head, server) =>
      answer(301, "", { Location: server.url.replace("http:", "https:") })(socket, head, server),
  },
  {
    title: "redirects to itself",
    reason: /redirects more than 3 times/,
    behave: answer(307, "", { Location: "/feed.json" }),
  },
  { title: "redirects to nowhere", reason: /redirects to an invalid address/, behave: answer(302) },
  {
    title: "returns 304 to an unconditional request",
    reason: /HTTP 304, although it was not asked/,
    behave: answer(304, "", { "Content-Length": null }),
  },
  { title: "answers 204", reason: /HTTP 204/, behave: answer(204, "", { "Content-Length": null }) },
  { title: "returns 206", reason: /HTTP 206/, behave: answer(206, body) },
  { title: "answers 401", reason: /HTTP 401/, behave: answer(401, body) },
  { title: "answers 404", reason: /HTTP 404/, behave: answer(404, body) },
  { title: "returns 500 with a valid body", reason: /HTTP 500/, behave: answer(500, body) },
];

const wrongBodies: Misbehaviour[] = [
  {
    title: "uses an unrequested content encoding",
    reason: /an unrequested encoding/,
    behave: answer(200, body, { "Content-Encoding": "zstd" }),
  },
  {
    title: "truncates gzip data",
    reason: /the body was cut off/,
    behave: answer(200, gzipSync(body).subarray(0, 60), { "Content-Encoding": "gzip" }),
  },
  {
    title: "declares gzip but sends plain text",
    reason: /broken gzip/,
    behave: answer(200, body, { "Content-Encoding": "gzip" }),
  },
  {
    title: "returns an HTML page",
    reason: /not JSON to be trusted/,
    behave: answer(200, "<!doctype html><title>Please wait</title>", { "Content-Type": "text/html" }),
  },
  { title: "sends an empty body", reason: /the body is empty/, behave: answer(200) },
  { title: "declares and sends a truncated body", reason: /not JSON to be trusted/, behave: answer(200, half) },
  {
    title: "truncates a body that ends with the connection",
    reason: /not JSON to be trusted/,
    behave: answer(200, half, { "Content-Length": null }),
  },
  { title: "sends invalid UTF-8", reason: /not UTF-8/, behave: answer(200, Buffer.from('{"\xff":1}', "latin1")) },
  {
    title: "names an item twice",
    reason: /not JSON to be trusted/,
    behave: answer(200, body.replace('"Item 1":', '"Item 0":')),
  },
  {
    title: "sends another shape",
    reason: /not the Steam shape/,
    behave: json({ "Item 0": { starting_at: { price: 1 } } }),
  },
  {
    title: "changes its currency",
    reason: /only USD is accepted/,
    behave: json({ metadata: { ...metadata, currency: "EUR" }, prices: goodPrices }),
  },
  {
    title: "loses more than half of its items",
    reason: /shrinks from 4 items to 1/,
    behave: answer(200, steamBody({ "Item 0": 110 })),
  },
  {
    title: "names no known item",
    reason: /no price matches an item/,
    behave: answer(200, steamBody({ Nothing: 1, Nobody: 2 })),
  },
  {
    title: "has only zero prices",
    reason: /no price matches an item .*4 zero/,
    behave: answer(200, steamBody({ "Item 0": 0, "Item 1": 0, "Item 2": 0, "Item 3": 0 })),
  },
  {
    title: "goes back to an older state",
    reason: /save time is .*, before the /,
    behave: answer(200, steamBody(goodPrices, worldAt - dayMs)),
  },
  {
    title: "has a save time in the future",
    reason: /in the future/,
    behave: answer(200, steamBody(goodPrices, worldAt + 3650 * dayMs)),
  },
];

/** Faulty behaviours of a source of the steam shape, with the limits and clock of the world. */
export const misbehaviours: readonly Misbehaviour[] = [...onTheWire, ...tooMuch, ...statuses, ...wrongBodies];

/** A valid body that is newer than the published one. */
export const recovery = later;
