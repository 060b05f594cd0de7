/** Kind of lots from tables. */
export const tableSource = "table";
/** Kind of lots that an owner entered in a form. */
export const formSource = "form";

/** Returns the kind of lots from one game, context (`730:2`) and Steam account. Pass "" for an unnamed account. */
export function steamSource(context: string, account: string): string {
  return `steam:${context}:${account}`;
}

/** Returns whether a kind is from Steam. */
export function isSteam(source: string | null): boolean {
  return source?.startsWith("steam:") ?? false;
}

/** Describes the lots of a kind, without the account name. */
export function sourceText(source: string): string {
  const [, game, context] = source.split(":");
  if (!isSteam(source)) return source === tableSource ? "lots from tables" : "lots from forms";
  return `lots of context ${context}${game === "730" ? "" : ` of the game ${game}`}`;
}
