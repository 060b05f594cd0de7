import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { getTextOfJSDocComment, type JSDoc } from "typescript-native/unstable/ast";
import { API, type Project, SignatureKind } from "typescript-native/unstable/sync";

/** One file of a project as an editor has it open. */
export class Editor {
  readonly #path: string;
  readonly #text: string;
  readonly #api: API;
  readonly #project: Project;

  /** `options` are compiler options as in a tsconfig.json. */
  constructor(folder: string, name: string, text: string, options: object) {
    this.#path = join(folder, name);
    this.#text = text;
    writeFileSync(this.#path, text);
    const compilerOptions = {
      target: "es2022",
      lib: ["es2022"],
      module: "nodenext",
      noEmit: true,
      types: ["node"],
      typeRoots: [join(folder, "node_modules/@types")],
      ...options,
    };
    const settings = join(folder, `${name}.tsconfig.json`);
    writeFileSync(settings, JSON.stringify({ compilerOptions, files: [name] }));
    this.#api = new API({ cwd: folder });
    this.#project = this.#api.updateSnapshot({ openProjects: [settings] }).getProject(settings)!;
  }

  close(): void {
    this.#api.close();
  }

  /** Returns the errors in the files with these names, and the number of files. */
  faults(names: RegExp): { files: number; found: string[] } {
    const { program } = this.#project;
    const files = program.getSourceFileNames().filter((name) => names.test(name));
    const found = files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]);
    return { files: files.length, found: found.map(({ text }) => text) };
  }

  /** The hover text at the name at the start of `call`, and each of its signatures. */
  documentationAt(call: string): { hover: string; signatures: string[] } {
    const { checker } = this.#project;
    const method = checker.getSymbolAtPosition(this.#path, this.#at(call))!;
    const signatures = checker.getSignaturesOfType(checker.getTypeOfSymbol(method)!, SignatureKind.Call);
    return {
      hover: method.getDocumentationComment(checker),
      signatures: signatures.map(({ declaration }) => {
        const [comment] = (declaration?.resolve()?.jsDoc ?? []) as readonly JSDoc[];
        return getTextOfJSDocComment(comment?.comment) ?? "";
      }),
    };
  }

  /** The completions at `call`, each with its documentation. */
  membersAt(call: string): Map<string, string> {
    const { checker } = this.#project;
    const offered = checker.getCompletionsAtPosition(this.#path, this.#at(call), { includeSymbol: true });
    return new Map(offered?.entries.map(({ name, symbol }) => [name, symbol?.getDocumentationComment(checker) ?? ""]));
  }

  #at(call: string): number {
    const at = this.#text.indexOf(call);
    if (at === -1) throw new Error(`the file does not hold ${call}`);
    return at;
  }
}
