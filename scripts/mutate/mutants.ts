import * as ts from "typescript-native/unstable/ast";

/** One small change of a source file: `from` at `offset` becomes `to`. */
export type Mutant = {
  id: number;
  file: string;
  line: number;
  offset: number;
  operator: string;
  from: string;
  to: string;
};

/** A text with every mutant of a file in it, each behind a question of whether it is the active one. */
type Instrumented = { text: string; mutants: Mutant[] };

type Change = { operator: string; to: string; from?: string };

const flipped: Readonly<Record<string, readonly [operator: string, to: string][]>> = {
  "<": [
    ["boundary", "<="],
    ["comparison", ">="],
  ],
  "<=": [
    ["boundary", "<"],
    ["comparison", ">"],
  ],
  ">": [
    ["boundary", ">="],
    ["comparison", "<="],
  ],
  ">=": [
    ["boundary", ">"],
    ["comparison", "<"],
  ],
  "===": [["comparison", "!=="]],
  "!==": [["comparison", "==="]],
  "&&": [["logical", "||"]],
  "||": [["logical", "&&"]],
  "??": [["logical", "&&"]],
  "+": [["arithmetic", "-"]],
  "-": [["arithmetic", "+"]],
  "*": [["arithmetic", "/"]],
  "/": [["arithmetic", "*"]],
  "%": [["arithmetic", "*"]],
  "**": [["arithmetic", "*"]],
  "<<": [["arithmetic", ">>"]],
  ">>": [["arithmetic", "<<"]],
  ">>>": [["arithmetic", "<<"]],
  "&": [["arithmetic", "|"]],
  "|": [["arithmetic", "&"]],
  "^": [["arithmetic", "&"]],
};
const flippedAssignments: Readonly<Record<string, string>> = {
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "|=": "&=",
  "&&=": "=",
  "??=": "=",
};
const flippedCalls = new Map([
  ["Math.min", "Math.max"],
  ["Math.max", "Math.min"],
  ["Math.floor", "Math.ceil"],
  ["Math.ceil", "Math.floor"],
]);
const flippedMethods = new Map([
  ["some", "every"],
  ["every", "some"],
]);
/** Texts for people: what they say is no behaviour. */
const worded = /Error$|Failure$|Refusal$|Broken$|Bytes$/;

/**
 * What is asked at each place, and how it comes into a file. `seen` collects the places that are reached, at first while files are
 * loaded. `passesMax`: an active mutant is asked no more often, so that a loop that it keeps going has an end.
 */
const header = `const __mutation = (globalThis.__mutation ??= {
  active: Number(process.env.ITEMTAPE_MUTANT ?? 0), seen: new Set(), passes: 0, passesMax: Infinity,
  is(id) {
    this.seen?.add(id);
    this.passes += 1;
    if (this.active !== 0 && this.passes > this.passesMax) throw new Error("the mutant goes on without an end");
    return this.active === id;
  },
}); `.replaceAll("\n", " ");

/** Returns the mutants of a TypeScript source and the source that can become any of them. `firstId` is the number of the first. */
export function instrument(file: string, source: ts.SourceFile, firstId: number): Instrumented {
  const { text } = source;
  const lineStarts = ts.computeLineStarts(text);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, { operator, to, from }: Change): number => {
    const offset = node.getStart(source);
    const line = lineStarts.findLastIndex((start) => start <= offset);
    const id = firstId + mutants.length;
    mutants.push({ id, file, line: line + 1, offset, operator, from: from ?? node.getText(source), to });
    return id;
  };
  const emit = (node: ts.Node): string => {
    if (isPassedOver(node)) return node.getText(source);
    if (ts.isExpressionStatement(node) && isRemovable(node)) {
      const id = add(node, { operator: "removed statement", to: "" });
      // In braces of its own, so that an `else` behind it keeps its `if`.
      return `{ if (!__mutation.is(${id})) { ${emitChildren(node)} } }`;
    }
    const changes = changesOf(node, source);
    if (changes.length === 0) return emitChildren(node);
    const choices = changes.map((change) => `__mutation.is(${add(node, change)}) ? (${change.to}) : `);
    return `(${choices.join("")}(${emitChildren(node)}))`;
  };
  const emitChildren = (node: ts.Node): string => {
    const children: ts.Node[] = [];
    node.forEachChild((child) => void children.push(child));
    children.sort((a, b) => a.pos - b.pos);
    let out = "";
    let at = node.getStart(source);
    for (const child of children) {
      const start = child.getStart(source);
      if (start < at) continue;
      out += text.slice(at, start) + emit(child);
      at = child.end;
    }
    return out + text.slice(at, node.end);
  };
  const body = emitChildren(source) + text.slice(source.endOfFileToken.end);
  return { text: header + body, mutants };
}

/** Returns whether nothing is changed in a node: types, imports, names and texts for people. */
function isPassedOver(node: ts.Node): boolean {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return true;
  if (ts.isExportDeclaration(node) || ts.isTaggedTemplateExpression(node)) return true;
  return ts.isNewExpression(node) && worded.test(node.expression.getText());
}

function isRemovable({ expression }: ts.ExpressionStatement): boolean {
  const called = ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword;
  return !called && !ts.isStringLiteral(expression);
}

function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
  const own = (part: ts.Node) => part.getText(source);
  if (ts.isBinaryExpression(node)) return binaryChanges(node, own);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return unaryChanges(node, own);
  if (ts.isAwaitExpression(node)) return [{ operator: "removed await", to: own(node.expression) }];
  if (isCondition(node)) return conditionChanges(node, own);
  if (ts.isCallExpression(node)) return callChanges(node, own);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return optionalChanges(node, own);
  return literalChanges(node, own);
}

function binaryChanges(node: ts.BinaryExpression, own: (part: ts.Node) => string): Change[] {
  const [left, token, right] = [own(node.left), own(node.operatorToken), own(node.right)];
  const assignment = flippedAssignments[token];
  if (assignment !== undefined) return [{ operator: "arithmetic", to: `${left} ${assignment} ${right}` }];
  if (token === "+" && [node.left, node.right].some(isText)) return [];
  const changes = (flipped[token] ?? []).map(([operator, to]) => ({ operator, to: `(${left}) ${to} (${right})` }));
  if (isCondition(node)) changes.push(...conditionChanges(node, own));
  return changes;
}

function isText(node: ts.Node): boolean {
  if (ts.isParenthesizedExpression(node)) return isText(node.expression);
  if (ts.isBinaryExpression(node)) return isText(node.left) || isText(node.right);
  return ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);
}

function unaryChanges(
  node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression,
  own: (part: ts.Node) => string,
): Change[] {
  const operand = own(node.operand);
  if (node.operator === ts.SyntaxKind.ExclamationToken) return [{ operator: "negation", to: operand }];
  if (node.operator === ts.SyntaxKind.MinusToken) return [{ operator: "arithmetic", to: `+${operand}` }];
  if (node.operator === ts.SyntaxKind.PlusPlusToken) return [{ operator: "arithmetic", to: `${operand}--` }];
  if (node.operator === ts.SyntaxKind.MinusMinusToken) return [{ operator: "arithmetic", to: `${operand}++` }];
  return [];
}

/** Returns whether an expression decides which way the program goes. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) return parent.condition === node;
  return false;
}

function conditionChanges(node: ts.Node, own: (part: ts.Node) => string): Change[] {
  const text = own(node);
  const { parent } = node;
  const never = ts.isIfStatement(parent) && leaves(parent.thenStatement) ? "removed early return" : "condition";
  const changes: Change[] = [{ operator: never, to: "false" }];
  // A loop that never ends says nothing of the tests.
  if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent))
    changes.push({ operator: "condition", to: "true" });
  return changes.map((change) => ({ ...change, from: text }));
}

function leaves(node: ts.Statement): boolean {
  if (ts.isBlock(node)) return node.statements.some(leaves);
  return ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node);
}

function callChanges(node: ts.CallExpression, own: (part: ts.Node) => string): Change[] {
  const target = own(node.expression);
  const rest = own(node).slice(target.length);
  const other = flippedCalls.get(target);
  if (other !== undefined) return [{ operator: "call", to: other + rest }];
  if (ts.isPropertyAccessExpression(node.expression)) {
    const method = flippedMethods.get(own(node.expression.name));
    const before = target.slice(0, target.length - own(node.expression.name).length);
    if (method !== undefined) return [{ operator: "call", to: before + method + rest }];
  }
  return optionalChanges(node, own);
}

/** Only a whole chain is changed: a part in parentheses would end where the chain goes on. */
function optionalChanges(
  node: ts.CallExpression | ts.PropertyAccessExpression | ts.ElementAccessExpression,
  own: (part: ts.Node) => string,
): Change[] {
  if (node.questionDotToken === undefined || (node.parent.flags & ts.NodeFlags.OptionalChain) !== 0) return [];
  if (ts.isNonNullExpression(node.parent) || ts.isCallExpression(node.parent)) return [];
  const dot = ts.isPropertyAccessExpression(node) ? "." : "";
  const [before, after] = [own(node.expression), own(node).slice(own(node.expression).length).replace("?.", dot)];
  return [{ operator: "optional chaining", to: before + after }];
}

function literalChanges(node: ts.Node, own: (part: ts.Node) => string): Change[] {
  const { parent } = node;
  const isName = (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) && parent.name === node;
  const isBound = ts.isBindingElement(parent) && parent.propertyName === node;
  if (isName || isBound || ts.isLiteralTypeNode(parent)) return [];
  // Threads are bundled, and a bundler must find what is imported.
  if (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) return [];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ operator: "boolean", to: "false" }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ operator: "boolean", to: "true" }];
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) {
    const text = own(node);
    const one = ts.isBigIntLiteral(node) ? "1n" : "1";
    return ["+", "-"].map((sign) => ({ operator: "constant", to: `${text} ${sign} ${one}` }));
  }
  if (ts.isStringLiteral(node) && node.text !== "") return [{ operator: "string", to: '""' }];
  if (ts.isTemplateExpression(node)) return [{ operator: "string", to: "``" }];
  return [];
}
