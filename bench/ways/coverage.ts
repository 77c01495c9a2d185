import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { SourceMap } from "node:module";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const root = join(import.meta.dirname, "../..");
const product = /^(?:core|adapters|web|server)\/.+\.tsx?$/;

/** Starts to observe which functions run; the result stops and returns the product files that contain them. */
export type Observe = () => Promise<() => Promise<readonly string[]>>;

interface FunctionCoverage {
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
}

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly FunctionCoverage[];
}

/** Returns the offsets of the functions that ran; the first function of a script is the script itself. */
const startsOf = ({ functions }: ScriptCoverage): readonly number[] =>
  functions
    .slice(1)
    .flatMap(({ ranges }) => ranges.slice(0, 1))
    .filter(({ count }) => count > 0)
    .map(({ startOffset }) => startOffset);

const sorted = (files: Iterable<string>): readonly string[] =>
  [...new Set(files)].filter((file) => product.test(file)).toSorted();

/** Observes this process. */
export const observeProcess: Observe = async () => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    session.disconnect();
    return sorted(
      result
        .filter((script) => script.url.startsWith("file:") && startsOf(script).length > 0)
        .map(({ url }) => relative(root, fileURLToPath(url))),
    );
  };
};

/** Returns the source files of the functions at these offsets of a built script. */
const filesIn = (script: string, offsets: readonly number[]): readonly string[] => {
  const path = join(root, "dist/web/assets", script);
  const lines = readFileSync(path, "utf8").split("\n");
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, "utf8")));
  return offsets.map((offset) => {
    let line = 0;
    let column = offset;
    while (column > (lines[line]?.length ?? Number.POSITIVE_INFINITY)) {
      column -= (lines[line]?.length ?? 0) + 1;
      line += 1;
    }
    const entry = map.findEntry(line, column);
    return "originalSource" in entry ? entry.originalSource.replace(/^(?:\.\.\/)+/, "") : "";
  });
};

/** Observes a page of the built app, without its workers. */
export const observePage =
  (page: Page): Observe =>
  async () => {
    const session = await page.context().newCDPSession(page);
    await session.send("Profiler.enable");
    await session.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    return async () => {
      const { result } = await session.send("Profiler.takePreciseCoverage");
      await session.detach();
      return sorted(
        result
          .filter(({ url }) => /\/assets\/[^/]+\.js$/.test(url))
          .flatMap((script) => filesIn(basename(script.url), startsOf(script))),
      );
    };
  };
