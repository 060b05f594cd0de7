/** Default and maximum rows of a response. */
export const rowsDefault = 25;
export const rowsMax = 100;
/** Maximum values in all rows of one response. Wide rows are fewer, so that their text fits. */
export const cellsMax = 1000;
/** Minimum of the row limit of a wide list. */
export const rowsMaxLeast = 10;

/** Maximum UTF-8 bytes in the text part of a response. */
export const textBytesMax = 24 * 1024;
/** Maximum JSON bytes of the structured part. It equals the maximum size of a record, so that a single record is always complete. */
export const structuredBytesMax = 256 * 1024;
/** Maximum characters of one value in a text. */
export const cellCharsMax = 200;
/** Maximum characters of a list in one cell, such as the quotes of an item. */
export const listCharsMax = 1000;

/** First rows of an export in its response. */
export const exportHeadRows = rowsDefault;

/** Maximum JSON bytes of one MCP message. */
export const requestBytesMax = 256 * 1024;
