import { isSpecType, type JSONRPCMessage, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { isNode } from "./contract-view.ts";
import { requestBytesMax } from "./limits.ts";

/** The reason for refusing a text as a message. */
export class InvalidMessage {
  readonly code: number;
  readonly message: string;
  /** True for an invalid response. It gets no answer, or two programs could answer each other forever. */
  readonly isAnswer: boolean;

  constructor(code: number, message: string, isAnswer = false) {
    this.code = code;
    this.message = message;
    this.isAnswer = isAnswer;
  }
}

export const tooLong = new InvalidMessage(
  ProtocolErrorCode.InvalidRequest,
  `a message has at most ${requestBytesMax} bytes`,
);

/** Parses the single message in a body or line. Refuses a batch, which could contain any number of calls. */
export function messageOf(text: string): JSONRPCMessage | InvalidMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new InvalidMessage(ProtocolErrorCode.ParseError, "the message is not JSON");
  }
  if (Array.isArray(value))
    return new InvalidMessage(ProtocolErrorCode.InvalidRequest, "send one message at a time, not a list");
  value = withoutNulls(value);
  if (isSpecType.JSONRPCMessage(value)) return value;
  const isAnswer = isNode(value) && ("result" in value || "error" in value);
  return new InvalidMessage(ProtocolErrorCode.InvalidRequest, "the message is not a JSON-RPC 2.0 message", isAnswer);
}

/** Builds the JSON-RPC error for an invalid message. Its id is null. */
export function invalidMessageAnswer({ code, message }: { code: number; message: string }): string {
  return JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
}

/** Some callers send null for absent parameters or arguments. */
function withoutNulls(message: unknown): unknown {
  if (!isNode(message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isNode(params) || params.arguments !== null) return message;
  const { arguments: _, ...others } = params;
  return { ...rest, params: others };
}
