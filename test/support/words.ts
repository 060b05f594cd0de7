/** Splits a text at white space: a list of short words then needs no line for each. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
