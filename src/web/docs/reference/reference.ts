import { problems, streamProblems } from "../../../api/problems.ts";
import type { Contract } from "../../../contract/document.ts";
import type { Html } from "../../html.ts";
import { type ContractNode, type Resolve, resolverOf } from "../contract-node.ts";
import { type Documented, referencePath } from "../documented.ts";
import { type CodeTarget, proseRenderer } from "../markdown.ts";

/** Data that the reference pages share. */
export type Reference = {
  readonly contract: Contract;
  readonly operations: readonly Documented[];
  readonly resolve: Resolve;
  /** Maps error codes and operationIds to their pages. */
  readonly codeTarget: CodeTarget;
  readonly prose: (text: string) => Html;
};

/** Creates the data that the reference pages share. */
export function createReference(contract: Contract, operations: readonly Documented[]): Reference {
  const targets = new Map<string, string>([
    ...[...Object.keys(problems), ...Object.keys(streamProblems)].map((code): [string, string] => [
      code,
      `/problems/${code}`,
    ]),
    ...operations.map((operation): [string, string] => [operation.operationId, referencePath(operation)]),
  ]);
  const codeTarget = (word: string) => targets.get(word) ?? null;
  return { contract, operations, resolve: resolverOf(contract), codeTarget, prose: proseRenderer(codeTarget) };
}

/** Returns an operation's object in the contract. */
export function operationNode({ contract }: Pick<Reference, "contract">, { path, method }: Documented): ContractNode {
  const paths = contract.document.paths as unknown as Record<string, Record<string, ContractNode>>;
  const node = paths[path]?.[method.toLowerCase()];
  if (node === undefined) throw new Error(`the contract has no ${method} ${path}`);
  return node;
}
