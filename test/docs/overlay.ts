import { join, relative, sep } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "../..");

/** A replacement in a file of the tree, by its path from the root. */
export interface Edit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** The service worker's types conflict with those of a page. */
const filesIn = (folder: string): readonly string[] =>
  ts.sys.readDirectory(join(root, folder), [".ts", ".tsx"], ["**/dist", "**/serviceWorker"]);

const optionsOfTests = (): ts.CompilerOptions => {
  const path = join(root, "test/tsconfig.json");
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  return ts.convertCompilerOptionsFromJson(
    {
      ...ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config.compilerOptions,
      ...config.compilerOptions,
    },
    root,
  ).options;
};

const edited = (text: string, { file, before, after }: Edit): string => {
  if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`);
  return text.replace(before, after);
};

/**
 * Type-checks folders of the tree as if files were edited, without writing anything. Returns the compile errors,
 * each as "file: message".
 */
export const compileErrors = (folders: readonly string[], edits: readonly Edit[]): readonly string[] => {
  const options: ts.CompilerOptions = {
    ...optionsOfTests(),
    composite: false,
    emitDeclarationOnly: false,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram(folders.flatMap(filesIn), options, {
    ...host,
    getSourceFile: (path, version) => {
      const own = edits.filter(({ file }) => relative(join(root, file), path) === "");
      const text = host.readFile(path);
      return own.length === 0 || text === undefined
        ? host.getSourceFile(path, version)
        : ts.createSourceFile(path, own.reduce(edited, text), version);
    },
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const path = file ? relative(root, file.fileName).split(sep).join("/") : "";
    return `${path}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
};
