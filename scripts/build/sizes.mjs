// What a visitor downloads, in gzip bytes, read from the bundler's own account of its chunks.
import { basename } from "node:path";

const masksTab = "web/features/masks/MasksTab.tsx";

/** First loads and what they may weigh, JavaScript as gzip. 1 kB is 1,000 bytes. */
export const limits = { signIn: 137_000, masksTab: 178_500 };

/** The most bytes of the stylesheet, as gzip. */
const maxStyles = 17_000;

/** The most scripts that are loaded until the masks tab is there. */
const maxScripts = 3;

const importsOf = (outputs, file) =>
  outputs[file].imports
    .filter(({ kind, external }) => kind === "import-statement" && !external)
    .map(({ path }) => path);

/** A chunk and everything it imports statically: what the browser must have before the chunk runs. */
export const closure = (outputs, file, seen = new Set()) => {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const next of importsOf(outputs, file)) closure(outputs, next, seen);
  return seen;
};

/** What the signed-in page needs to show the list beside `main`, in the order of use; empty where there is no list. */
export const firstScreenOf = (outputs, main) => {
  const entry = Object.keys(outputs).find((file) =>
    ["chunk:firstScreen", masksTab].includes(outputs[file].entryPoint),
  );
  const loaded = closure(outputs, main);
  return entry === undefined ? [] : [...closure(outputs, entry)].filter((file) => !loaded.has(file));
};

/**
 * Sizes of the page's chunks and of its first loads: `signIn` is what the entry imports, `masksTab` adds what the list
 * needs (absent while there is none).
 */
export const measure = (outputs, gzipped, main) => {
  const gzip = new Map([...gzipped].map(([file, bytes]) => [file, bytes.length]));
  const sum = (files) => files.reduce((total, file) => total + gzip.get(file), 0);
  const signIn = [...closure(outputs, main)];
  const firstScreen = firstScreenOf(outputs, main);
  const chunks = Object.keys(outputs)
    .filter((file) => file.endsWith(".js") && gzip.has(file))
    .map((file) => ({
      file: basename(file),
      source: outputs[file].entryPoint ?? "shared",
      gzip: gzip.get(file),
      withImports: sum([...closure(outputs, file)]),
    }))
    .toSorted((one, other) => other.withImports - one.withImports);
  const styles = [...gzip].filter(([file]) => file.endsWith(".css"));
  return {
    firstLoad: {
      signIn: sum(signIn),
      ...(firstScreen.length > 0 && { masksTab: sum([...signIn, ...firstScreen]) }),
    },
    scripts: signIn.length + firstScreen.length,
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
