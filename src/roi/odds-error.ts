/** Odds that cannot be: the message names the tier, item or interval and what is wrong with it. */
export class OddsError extends Error {
  override readonly name = "OddsError";
}
