// Parts of libraries that the page cannot reach, left out of the bundle.
import { readFile } from "node:fs/promises";
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

/** Files of inversify that serve what the container does not bind: classes, resolved values, factories, tags and what is unbound. */
const unreachedFiles =
  /^(?:clone\w*Binding|resolve(?:Two|Three|Four|Many)|build(?:Zero|One|Two|Three|Four|)(?:Constructor|ResolvedValue)Arguments?Resolver|buildNoActivations(?:Instance|ResolvedValue)BindingNodeResolver|\w*ResolverJit|(?:Instance|ResolvedValue|PlanServiceRedirection|Factory)BindingNode(?:Implementation)?|PlanMultipleBindingServiceNodeImplementation|buildBuildServiceNodeOptionsFrom\w+Metadata|tryBuildGetPlanOptions\w*|(?:is|build)ConstructorNoParamNode|cacheNonRootPlanServiceNode|(?:add|remove)(?:Root)?ServiceNodeBindingIfContextFree|(?:getClass|throwAtInvalidClass)Metadata|is(?:No)?(?:Any)?(?:Not)?(?:Ancestor|Parent)?BindingConstraints(?:With\w+)?)$/;

/** Methods of inversify's classes that the page's container never calls. */
const unreachedMethods = [
  "clone, _clone\\w+, _buildNewInstance, #buildModelToCloneModelMap, #buildRelationToRelationModelMap, #getClone\\w+",
  "#pushModelEntriesIntoModelMap, #pushRelationEntriesIntoRelationMap, snapshot, restore, #removeModelFrom\\w+, remove\\w+",
  "getAll, getAllAsync, getAsync, isBound, isCurrentBound, #isAnyValidBinding, get\\w*BoundServices, getById",
  "loadAsync, unload, unloadAsync, #unload, #clearAfter\\w+, rebind\\w*, #?unbind\\w*, #throwUnexpectedAsyncUnbindOperation",
  "on(?:Dea|A)ctivation, register, #assertIsPlugin, getIdentifier, in(?:Request|Transient)Scope, to, toSelf, toFactory",
  "toResolvedValue, toService, #buildResolvedValueMetadata, when\\w*",
].flatMap((names) => names.split(", "));
const unreachedName = `(?:${unreachedMethods.join("|")})`;
/** Their definitions, and where they are handed on as `name: this.name.bind(this)`. */
const unreachedCode = new RegExp(
  `^ {4}(?:async )?${unreachedName}\\([^\\n]*\\) \\{\\n[\\s\\S]*?^ {4}\\}\\n|^ +\\w+: this\\.(?:#\\w+\\.)?${unreachedName}\\.bind\\(.*\\),?\\n`,
  "gm",
);

/** A library's file without its content: its names are there, and nothing may call them. */
const emptied = (source) =>
  [...source.matchAll(/^export (?:async )?(?:function|class|const|var|let) (\w+)/gm)]
    .map(([, name]) => `export const ${name} = undefined;`)
    .join("\n");

/**
 * Leaves out what the page cannot reach: of inversify all but singletons made by functions, among it the functions that compile
 * resolvers with `new Function`, which the container's option `jitless` never calls, and all of reflect-metadata that serves decorators.
 */
export const slimLibraries = {
  name: "slim libraries",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^reflect-metadata\/lite$/ }, ({ path }) => ({ path, namespace: "metadata" }));
    onLoad({ filter: /.*/, namespace: "metadata" }, () => ({ contents: metadata, loader: "js" }));
    onLoad({ filter: /[/\\]@inversifyjs[/\\].*\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const isUnreached = unreachedFiles.test(basename(path, ".js"));
      return { contents: isUnreached ? emptied(source) : source.replace(unreachedCode, ""), loader: "js" };
    });
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
