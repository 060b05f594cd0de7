import { relative } from "node:path";
import ts from "typescript";

/** An error of the compiler. `line` counts from 1; null: it has no place. */
export type CompileFault = { file: string; line: number | null; message: string };

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Caches the files of libraries for all SDKs. */
const shared = new Map<string, ts.SourceFile | undefined>();

/**
 * Compiles `entry` and all that it imports, strictly. `looseFiles`: files of the SDK itself that do not compile with
 * exactOptionalPropertyTypes; where there are any, everything is compiled without it.
 */
export function compile(folder: string, entry: string): { faults: CompileFault[]; looseFiles: string[] } {
  const exact = programOf(folder, entry, options);
  // The entry is by far the largest file: it is looked at once, in the program that counts.
  const looseFiles = exact
    .getSourceFiles()
    .filter(({ fileName }) => !fileName.includes("/node_modules/") && fileName !== `${folder}/${entry}`)
    .filter((file) => [...exact.getSyntacticDiagnostics(file), ...exact.getSemanticDiagnostics(file)].length > 0)
    .map(({ fileName }) => relative(folder, fileName));
  const program =
    looseFiles.length === 0 ? exact : programOf(folder, entry, { ...options, exactOptionalPropertyTypes: false });
  return { faults: ts.getPreEmitDiagnostics(program).map((found) => faultOf(folder, found)), looseFiles };
}

function programOf(folder: string, entry: string, compilerOptions: ts.CompilerOptions): ts.Program {
  const host = ts.createCompilerHost(compilerOptions);
  const { getSourceFile } = host;
  host.getCurrentDirectory = () => folder;
  host.getSourceFile = (path, ...rest) => {
    if (!path.includes("/node_modules/")) return getSourceFile.call(host, path, ...rest);
    if (!shared.has(path)) shared.set(path, getSourceFile.call(host, path, ...rest));
    return shared.get(path);
  };
  return ts.createProgram([`${folder}/${entry}`], compilerOptions, host);
}

function faultOf(folder: string, { file, start, messageText }: ts.Diagnostic): CompileFault {
  return {
    file: file === undefined ? "" : relative(folder, file.fileName),
    line: file === undefined || start === undefined ? null : file.getLineAndCharacterOfPosition(start).line + 1,
    message: ts.flattenDiagnosticMessageText(messageText, " ").slice(0, 300),
  };
}
