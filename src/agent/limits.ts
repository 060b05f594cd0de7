/** Default and maximum rows of an answer. */
export const rowsDefault = 25;
export const rowsMax = 100;
/** Values in all rows of one answer together: wide rows are fewer, so that their text fits. */
export const cellsMax = 1000;
/** Fewest rows that a wide list may be bounded to. */
export const rowsMaxLeast = 10;

/** Maximum bytes of UTF-8 in the text part of an answer. */
export const textBytesMax = 24 * 1024;
/**
 * Maximum JSON bytes of the structured part: as much as one record of the service may have, so that a single record is always whole.
 */
export const structuredBytesMax = 256 * 1024;
/** Maximum characters of one value in a text. */
export const cellCharsMax = 200;

/** Lists in arguments whose entries come back large, bounded below what the contract takes. */
export const argumentItemsMax: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  getMarketPricesBatch: { item_ids: 25 },
};

/** First rows of an export that its answer shows. */
export const exportHeadRows = rowsDefault;

/** Maximum JSON bytes of one MCP message. */
export const requestBytesMax = 256 * 1024;
