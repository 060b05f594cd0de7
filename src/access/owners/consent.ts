/**
 * Consent of an owner to a personal token. A change of the text needs a new version, because each token records the version that was shown.
 */
export const portfolioConsent = {
  version: "1",
  text: "Whoever holds this token may read the selected portfolios, with their holdings, transactions and value history, until the token expires or is revoked. It gives no access to anything else and changes nothing.",
} as const;
