// What a visitor downloads, in gzip bytes, read from the bundler's own account of its chunks.
import { basename } from "node:path";
import { gzipSync } from "node:zlib";

const masksTab = "web/masks/MasksTab.tsx";

/** First loads and what they may weigh, JavaScript as gzip. 1 kB is 1,000 bytes. */
export const limits = { signIn: 130_000, masksTab: 165_000 };

const importsOf = (outputs, file, kind) =>
  outputs[file].imports.filter((one) => one.kind === kind && !one.external).map((one) => one.path);

/** A chunk and everything it imports statically: what the browser must have before the chunk runs. */
export const closure = (outputs, file, seen = new Set()) => {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const next of importsOf(outputs, file, "import-statement")) closure(outputs, next, seen);
  return seen;
};

/** The chunks that are loaded one after the other to get from one to another, by the fewest late imports. */
const loadsUntil = (outputs, from, to) => {
  const waiting = [closure(outputs, from)];
  const visited = new Set([from]);
  for (const loaded of waiting) {
    if (loaded.has(to)) return loaded;
    for (const file of loaded)
      for (const late of importsOf(outputs, file, "dynamic-import"))
        if (!visited.has(late)) {
          visited.add(late);
          waiting.push(closure(outputs, late, new Set(loaded)));
        }
  }
  return undefined;
};

const holding = (outputs, source) =>
  Object.keys(outputs).find((file) => file.endsWith(".js") && outputs[file].inputs[source]);

/**
 * Sizes of the page's chunks and of its first loads: `signIn` is the theme script and what the entry imports
 * statically, `masksTab` adds what is loaded on the way to the masks tab (absent while there is no such file).
 */
export const measure = (outputs, contents, { main, theme }) => {
  const gzip = new Map([...contents].map(([file, bytes]) => [file, gzipSync(bytes, { level: 9 }).length]));
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
      signIn: gzip.get(theme) + sum(closure(outputs, main)),
      ...(toMasks && { masksTab: gzip.get(theme) + sum(toMasks) }),
    },
    styles: styles.reduce((total, [, bytes]) => total + bytes, 0),
    chunks,
  };
};

/** One sentence for each first load that is over its limit or cannot be told. */
export const overweight = ({ firstLoad }) =>
  Object.entries(limits).flatMap(([screen, limit]) => {
    const bytes = firstLoad[screen];
    if (bytes === undefined)
      return [`${screen}: ${masksTab} is not in the bundle, so its first load is unknown.`];
    return bytes > limit ? [`${screen}: first load is ${bytes} bytes gzip, at most ${limit} allowed.`] : [];
  });
