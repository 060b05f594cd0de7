/** Reserved word in place of a provider: each lot is valued at the lowest ask of all providers. No provider may have this slug. */
export const lowestAsk = "lowest-ask";
