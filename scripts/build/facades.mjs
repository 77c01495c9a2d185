// Late parts without the files that only pass on what another file exports: each would be one more request.
import { basename } from "node:path";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const passesOn =
  /^(?:\/\/.*\n)?import\{([^{}]+)\}from"\.\/([^"]+)";(?:import"[^"]+";)*export\{([^{}]+)\};\s*$/;
const exportClause = /export\{([^{}]+)\};(?=\s*(?:\/\*[\s\S]*\*\/\s*)?$)/;

/** Reads "a as b, c" as pairs ["a", "b"], ["c", "c"]. */
const pairsIn = (clause) =>
  clause.split(",").map((one) => {
    const [name, alias = name] = one.trim().split(" as ");
    return [name, alias];
  });

/** The hash in a file's name. */
const hashOf = (name) => /-([^-.]+)\.js/.exec(name)?.[1] ?? "";

/** The facades among the chunks: their name, the name of the file behind each, and what that file must export instead. */
const facadesOf = (outputs, texts) =>
  Object.keys(outputs).flatMap((file) => {
    if (!outputs[file].entryPoint?.startsWith("chunk:")) return [];
    const found = passesOn.exec(texts.get(basename(file)) ?? "");
    if (found === null) return [];
    const [, imported, behind, exported] = found;
    const nameBehind = new Map(pairsIn(imported).map(([name, local]) => [local, name]));
    return [
      { file, behind, exports: pairsIn(exported).map(([local, name]) => [nameBehind.get(local), name]) },
    ];
  });

const withExports = (text, exports) =>
  text.replace(exportClause, (_, clause) => {
    const locals = new Map(pairsIn(clause).map(([local, name]) => [name, local]));
    const added = exports
      .filter(([, publicName]) => !locals.has(publicName))
      .map(([name, publicName]) => `${locals.get(name)} as ${publicName}`);
    return `export{${[clause, ...added].join(",")}};`;
  });

const renamedIn = (names, text) => text.replace(/[\w.]+-[A-Z0-9]{8}\.js/g, (name) => names.get(name) ?? name);

/**
 * Takes the facades out of a build: the file behind one exports what the facade does, under a name made of both, and all
 * that import one of them import it. Changes the files and the account of them in `result`.
 */
export const removeFacades = (result) => {
  const scripts = result.outputFiles.filter(({ path }) => path.endsWith(".js"));
  const texts = new Map(scripts.map(({ path, contents }) => [basename(path), decoder.decode(contents)]));
  const facades = facadesOf(result.metafile.outputs, texts);
  const names = new Map();
  for (const { file, behind, exports } of facades) {
    const name = basename(file).replace(".js", () => `${hashOf(behind)}.js`);
    names.set(basename(file), name).set(behind, name);
    texts.set(behind, withExports(texts.get(behind), exports));
  }
  const removed = new Set(facades.map(({ file }) => basename(file)));
  result.outputFiles = result.outputFiles
    .filter(({ path }) => !removed.has(basename(path).replace(".LEGAL.txt", "")))
    .map(({ path, contents }) => {
      const text = texts.get(basename(path));
      return {
        path: renamedIn(names, path),
        contents: text === undefined ? contents : encoder.encode(renamedIn(names, text)),
      };
    });
  result.metafile.outputs = Object.fromEntries(
    Object.entries(result.metafile.outputs)
      .filter(([file]) => !removed.has(basename(file)))
      .map(([file, output]) => {
        const facade = facades.find(({ behind }) => behind === basename(file));
        const entryPoint = facade ? result.metafile.outputs[facade.file].entryPoint : output.entryPoint;
        const imports = output.imports.map((one) => ({ ...one, path: renamedIn(names, one.path) }));
        return [renamedIn(names, file), { ...output, imports, ...(entryPoint && { entryPoint }) }];
      }),
  );
};
