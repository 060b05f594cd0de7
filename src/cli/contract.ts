import { exitCodes } from "../values/failure/operator-error.ts";
import { type Call, commandsOf, noSettings } from "./command.ts";

/** The commands of a contract, apart from others so that their work is loaded only when called. */
export const contractCommands = commandsOf(noSettings, [
  {
    usage: "contract diff OLD [NEW]",
    flags: { "format FORMAT": "text, markdown, json or github (default: text)" },
    description: "list how two contracts differ for clients",
    example: "contract diff used.yaml http://127.0.0.1:8080/openapi.json",
    run: runDiff,
  },
]);

async function runDiff({ operands, flag, out }: Call): Promise<number> {
  const { formatOf, reviewed } = await import("../review/command.ts");
  const [before = "", after = null] = operands;
  const { stdout, missing } = await reviewed({ before, after, format: formatOf(flag("format") ?? "text") });
  if (stdout !== "") out.line(stdout.trimEnd());
  if (missing === null) return exitCodes.ok;
  out.note(`itemtape: ${missing}`);
  return exitCodes.unexpected;
}
