// Parts of libraries that the page cannot reach, left out of the bundle.
import { basename } from "node:path";

/**
 * What inversify needs of reflect-metadata without classes that have decorators: it counts bindings and modules in the metadata of an
 * object.
 */
const metadata = `
const all = new WeakMap();
Object.assign(Reflect, {
  getOwnMetadata: (key, target) => all.get(target)?.get(key),
  defineMetadata: (key, value, target) => {
    if (!all.has(target)) all.set(target, new Map());
    all.get(target).set(key, value);
  },
});`;

/**
 * Leaves out the functions of inversify that compile resolvers with `new Function`, which the container's option `jitless` never calls,
 * and all of reflect-metadata that serves decorators.
 */
export const slimLibraries = {
  name: "slim libraries",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^reflect-metadata\/lite$/ }, ({ path }) => ({ path, namespace: "metadata" }));
    onLoad({ filter: /.*/, namespace: "metadata" }, () => ({ contents: metadata, loader: "js" }));
    onLoad({ filter: /[/\\]@inversifyjs[/\\]core[/\\].*ResolverJit\.js$/ }, ({ path }) => ({
      contents: `export const ${basename(path, ".js")} = undefined;`,
      loader: "js",
    }));
  },
};

const scrubText = /[/\\]kernel[/\\]scrubText\.ts$/;

/** Gives each late library that scrubs texts its own copy: a chunk for a quarter of a kilobyte costs a request. */
export const ownScrubText = {
  name: "own scrubText",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /scrubText\.ts$/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === scrubText || !/[/\\]adapters[/\\]/.test(importer)) return undefined;
      const found = await resolve(path, { importer, resolveDir, kind, pluginData: scrubText });
      return { ...found, suffix: "?own" };
    });
  },
};
