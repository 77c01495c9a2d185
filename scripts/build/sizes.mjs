// What a visitor downloads, in gzip bytes, read from the bundler's own account of its chunks.
import { basename } from "node:path";

const masksTab = "web/features/masks/MasksTab.tsx";

/** First loads and what they may weigh, JavaScript as gzip. 1 kB is 1,000 bytes. */
export const limits = { signIn: 134_000, masksTab: 170_000 };

/** The most bytes of the stylesheet, as gzip. */
const maxStyles = 13_000;

/** The most scripts that are loaded until the masks tab is there. */
const maxScripts = 3;

const importsOf = (outputs, file, kind) =>
  outputs[file].imports.filter((one) => one.kind === kind && !one.external).map((one) => one.path);

/** A chunk and everything it imports statically: what the browser must have before the chunk runs. */
export const closure = (outputs, file, seen = new Set()) => {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const next of importsOf(outputs, file, "import-statement")) closure(outputs, next, seen);
  return seen;
};

/**
 * The chunks that are loaded one after the other to get from one to another, by the fewest late imports; of several such
 * ways the one with the fewest chunks.
 */
const loadsUntil = (outputs, from, to) => {
  let ways = [closure(outputs, from)];
  const visited = new Set([from]);
  while (ways.length > 0) {
    const [fewest] = ways.filter((loaded) => loaded.has(to)).toSorted((one, other) => one.size - other.size);
    if (fewest !== undefined) return fewest;
    const later = ways.flatMap((loaded) =>
      [...loaded].flatMap((file) =>
        importsOf(outputs, file, "dynamic-import").map((late) => ({ late, loaded })),
      ),
    );
    ways = later.flatMap(({ late, loaded }) => {
      if (visited.has(late)) return [];
      visited.add(late);
      return [closure(outputs, late, new Set(loaded))];
    });
  }
  return undefined;
};

const holding = (outputs, source) =>
  Object.keys(outputs).find((file) => file.endsWith(".js") && outputs[file].inputs[source]);

/**
 * Sizes of the page's chunks and of its first loads: `signIn` is what the entry imports
 * statically, `masksTab` adds what is loaded on the way to the masks tab (absent while there is no such file).
 */
export const measure = (outputs, gzipped, main) => {
  const gzip = new Map([...gzipped].map(([file, bytes]) => [file, bytes.length]));
  const sum = (files) => [...files].reduce((total, file) => total + gzip.get(file), 0);
  const masks = holding(outputs, masksTab);
  const toMasks = masks && loadsUntil(outputs, main, masks);
  const chunks = Object.keys(outputs)
    .filter((file) => file.endsWith(".js") && gzip.has(file))
    .map((file) => ({
      file: basename(file),
      source: outputs[file].entryPoint ?? "shared",
      gzip: gzip.get(file),
      withImports: sum(closure(outputs, file)),
    }))
    .toSorted((one, other) => other.withImports - one.withImports);
  const styles = [...gzip].filter(([file]) => file.endsWith(".css"));
  return {
    firstLoad: {
      signIn: sum(closure(outputs, main)),
      ...(toMasks && { masksTab: sum(toMasks) }),
    },
    scripts: toMasks === undefined ? 1 : toMasks.size,
    styles: styles.reduce((total, [, bytes]) => total + bytes, 0),
    chunks,
  };
};

/** One sentence for each limit that is exceeded, and for a first load that cannot be told. */
export const overweight = ({ firstLoad, styles, scripts }) => [
  ...(styles > maxStyles ? [`The stylesheet is ${styles} bytes gzip, at most ${maxStyles} allowed.`] : []),
  ...(scripts > maxScripts ? [`The masks tab loads ${scripts} scripts, at most ${maxScripts} allowed.`] : []),
  ...Object.entries(limits).flatMap(([screen, limit]) => {
    const bytes = firstLoad[screen];
    if (bytes === undefined)
      return [`${screen}: ${masksTab} is not in the bundle, so its first load is unknown.`];
    return bytes > limit ? [`${screen}: first load is ${bytes} bytes gzip, at most ${limit} allowed.`] : [];
  }),
];
