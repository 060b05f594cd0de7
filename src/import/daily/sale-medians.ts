import { type FeedFile, refusedFile } from "../feed-file.ts";

/** Bytes needed to recognize sale medians. */
export const saleMediansHeadBytes = 2048;
const saleTime = String.raw`[A-Z][a-z]{2} [0-9]{1,2} [0-9]{4} [0-9]{2}: ?\+0`;

/** Known formats of median prices of completed sales, by the beginning of the body. */
const shapes: readonly { pattern: RegExp; description: string }[] = [
  { pattern: /^date,price,volume(?:,|\r?\n|$)/i, description: "rows of date, price and volume" },
  { pattern: new RegExp(`^"?${saleTime}"?,[0-9.]+,[0-9]+`), description: "rows of date, price and volume" },
  {
    pattern: /^\s*\[\s*\{(?=[^{}]*"time"\s*:)(?=[^{}]*"value"\s*:)(?=[^{}]*"volume"\s*:)/,
    description: "a list of time, value and volume",
  },
  {
    pattern: new RegExp(String.raw`^\s*(?:\{[^[\]]*"prices"\s*:\s*)?\[\s*\[\s*"${saleTime}"\s*,`),
    description: "a list of date, price and volume",
  },
];

/**
 * Rejects medians of completed sales, because they are not asking prices.
 * @throws {OperatorError} when the body holds such medians.
 */
export function refuseSaleMedians({ name, bytes }: FeedFile): void {
  const head = bytes
    .subarray(0, saleMediansHeadBytes)
    .toString("utf8")
    .replace(/^\ufeff/, "");
  const shape = shapes.find(({ pattern }) => pattern.test(head));
  if (shape === undefined) return;
  throw refusedFile(name, `${shape.description}: medians of completed sales are not quotes and are never imported`);
}
