import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const { sys } = ts;
/** The libraries of the language are read once for all editors. */
const registry = ts.createDocumentRegistry();

/** One file of a project as an editor has it open. */
export class Editor {
  readonly #path: string;
  readonly #text: string;
  readonly #service: ts.LanguageService;

  constructor(folder: string, name: string, text: string, options: ts.CompilerOptions) {
    this.#path = join(folder, name);
    this.#text = text;
    writeFileSync(this.#path, text);
    const settings: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2022.d.ts"],
      module: ts.ModuleKind.NodeNext,
      noEmit: true,
      types: ["node"],
      typeRoots: [join(folder, "node_modules/@types")],
      ...options,
    };
    this.#service = ts.createLanguageService(
      {
        getCompilationSettings: () => settings,
        getScriptFileNames: () => [this.#path],
        getScriptVersion: () => "1",
        getScriptSnapshot: (path) => {
          const received = sys.readFile(path);
          return received === undefined ? undefined : ts.ScriptSnapshot.fromString(received);
        },
        getCurrentDirectory: () => folder,
        getDefaultLibFileName: ts.getDefaultLibFilePath,
        fileExists: sys.fileExists,
        readFile: sys.readFile,
        directoryExists: sys.directoryExists,
      },
      registry,
    );
  }

  /** What is wrong in the files of these names, and how many those are. */
  faults(names: RegExp): { files: number; found: string[] } {
    const program = this.#service.getProgram()!;
    const files = program.getSourceFiles().filter(({ fileName }) => names.test(fileName));
    const found = files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]);
    const message = found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
    return { files: files.length, found: message };
  }

  /** What is shown at the name that `call` begins with, and at its parenthesis for each signature. */
  documentationAt(call: string): { hover: string; signatures: string[] } {
    const at = this.#at(call);
    const hover = this.#service.getQuickInfoAtPosition(this.#path, at)?.documentation;
    const help = this.#service.getSignatureHelpItems(this.#path, at + call.indexOf("(") + 1, undefined);
    return { hover: plain(hover), signatures: (help?.items ?? []).map(({ documentation }) => plain(documentation)) };
  }

  /** What is offered where `call` stands, each with its documentation. */
  membersAt(call: string): Map<string, string> {
    const at = this.#at(call);
    const offered = this.#service.getCompletionsAtPosition(this.#path, at, undefined)?.entries ?? [];
    const details = ({ name }: ts.CompletionEntry) =>
      this.#service.getCompletionEntryDetails(this.#path, at, name, undefined, undefined, undefined, undefined);
    return new Map(offered.map((entry) => [entry.name, plain(details(entry)?.documentation)]));
  }

  #at(call: string): number {
    const at = this.#text.indexOf(call);
    if (at === -1) throw new Error(`the file does not hold ${call}`);
    return at;
  }
}

function plain(parts: readonly ts.SymbolDisplayPart[] | undefined): string {
  return ts.displayPartsToString([...(parts ?? [])]);
}
