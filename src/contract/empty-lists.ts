/** Fields whose empty list the contract gives another meaning than that there is none, and what people are told instead. */
export const emptyMeans: Readonly<Record<string, string>> = { operations: "all" };
