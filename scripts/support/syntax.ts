import type { SourceFile } from "typescript-native/unstable/ast";
import { createVirtualFileSystem } from "typescript-native/unstable/fs";
import { API } from "typescript-native/unstable/sync";

const folder = "/sources";
const project = `${folder}/tsconfig.json`;

/** Returns the syntax tree of each TypeScript text, by the paths of `texts`. */
export function parseSources(texts: ReadonlyMap<string, string>): Map<string, SourceFile> {
  const compilerOptions = { noLib: true, noResolve: true, types: [] };
  const settings = JSON.stringify({ compilerOptions, files: [...texts.keys()] });
  const files = Object.fromEntries([...texts].map(([path, text]) => [`${folder}/${path}`, text]));
  const api = new API({ cwd: folder, fs: createVirtualFileSystem({ ...files, [project]: settings }) });
  try {
    const program = api.updateSnapshot({ openProjects: [project] }).getProject(project)?.program;
    return new Map([...texts.keys()].map((path) => [path, program!.getSourceFile(`${folder}/${path}`)!]));
  } finally {
    api.close();
  }
}
