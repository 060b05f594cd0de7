/** Consent of an owner to a personal token. A change of the text takes a new version: each token records the one that was read. */
export const portfolioConsent = {
  version: "1",
  text: "Whoever holds this token may read the selected portfolios, with their holdings, transactions and value history, until the token expires or is revoked. It gives no access to anything else and changes nothing.",
} as const;
