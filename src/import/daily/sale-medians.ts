import { type FeedFile, refusedFile } from "../feed-file.ts";

/** Bytes by which medians are known. */
export const saleMediansHeadBytes = 2048;
const saleTime = String.raw`[A-Z][a-z]{2} [0-9]{1,2} [0-9]{4} [0-9]{2}: ?\+0`;

/** The shapes in which medians of completed sales are passed around: how a body of each begins. */
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
 * Refuses medians of completed sales: nobody offered anything at such a price.
 * @throws {OperatorError} when the body holds them.
 */
export function refuseSaleMedians({ name, bytes }: FeedFile): void {
  const head = bytes
    .subarray(0, saleMediansHeadBytes)
    .toString("utf8")
    .replace(/^\ufeff/, "");
  const shape = shapes.find(({ pattern }) => pattern.test(head));
  if (shape === undefined) return;
  throw refusedFile(
    name,
    `${shape.description}: these are medians of completed sales, which are not quotes and are never imported`,
  );
}
