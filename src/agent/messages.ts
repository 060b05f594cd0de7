import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { isNode } from "./contract-view.ts";
import { requestBytesMax } from "./limits.ts";

/** The reason why a text is no message. */
export class Unsound {
  readonly code: number;
  readonly message: string;
  /** True: it is an answer. Answers are never answered, or two sides could do so for ever. */
  readonly isAnswer: boolean;

  constructor(code: number, message: string, isAnswer = false) {
    this.code = code;
    this.message = message;
    this.isAnswer = isAnswer;
  }
}

export const tooLong = new Unsound(ErrorCode.InvalidRequest, `a message has at most ${requestBytesMax} bytes`);

/** Returns the one message that a body or a line holds. A list is refused: it would be any number of calls at once. */
export function messageOf(text: string): JSONRPCMessage | Unsound {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Unsound(ErrorCode.ParseError, "this is no JSON");
  }
  if (Array.isArray(value)) return new Unsound(ErrorCode.InvalidRequest, "one message at a time, not a list of them");
  const { success, data } = JSONRPCMessageSchema.safeParse(value);
  if (success) return data;
  const isAnswer = isNode(value) && ("result" in value || "error" in value);
  return new Unsound(ErrorCode.InvalidRequest, "this is no message of JSON-RPC 2.0", isAnswer);
}

/** Returns the answer to what is no message. Whose it was is not known, so that it carries no id. */
export function unsoundAnswer({ code, message }: { code: number; message: string }): string {
  return JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
}
