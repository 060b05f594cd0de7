/** Kind of the lots that tables bring. */
export const tableSource = "table";
/** Kind of the lots that an owner enters in a form. */
export const formSource = "form";

/** Returns the kind of the lots of one game, context (`730:2`) and Steam account ("" for one without a name). */
export function steamSource(context: string, account: string): string {
  return `steam:${context}:${account}`;
}

/** Returns whether a kind is one of Steam. */
export function isSteam(source: string | null): boolean {
  return source?.startsWith("steam:") ?? false;
}

/** Describes the lots of a kind, without the name of the account. */
export function sourceText(source: string): string {
  const [, game, context] = source.split(":");
  if (!isSteam(source)) return source === tableSource ? "lots from tables" : "lots from forms";
  return `lots of context ${context}${game === "730" ? "" : ` of the game ${game}`}`;
}
