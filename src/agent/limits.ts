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
/** Maximum characters of a list in one cell, such as the quotes of an item. */
export const listCharsMax = 1000;

/** First rows of an export that its answer shows. */
export const exportHeadRows = rowsDefault;

/** Maximum JSON bytes of one MCP message. */
export const requestBytesMax = 256 * 1024;
