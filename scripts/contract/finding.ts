/** The project's own rules. */
export const ruleNames = [
  "array-bounds",
  "changelog",
  "closed-objects",
  "component-names",
  "conditional",
  "described",
  "example-value",
  "extensions",
  "forbidden-keyword",
  "integer-bounds",
  "named-components",
  "named-items",
  "named-objects",
  "nullable",
  "one-tag",
  "operation-id",
  "parameter-bounds",
  "parameter-example",
  "problem-example",
  "quoted-dates",
  "ref-siblings",
  "references",
  "request-id-header",
  "required",
  "response-example",
  "root",
  "security",
  "statuses",
  "string-bounds",
  "typed-const",
  "union",
  "unreachable-reason",
  "used",
] as const;

export type RuleName = (typeof ruleNames)[number];

/** One breach of a rule: where in the document, and what to do. */
export type Finding = { rule: RuleName; at: string; message: string };
