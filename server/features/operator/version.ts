import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperatorOverview } from "../../../core/operator/operatorEndpoints.ts";

type Version = OperatorOverview["version"];
type Changes = Version["changes"][number];

const partsOf = (version: string): readonly number[] =>
  version.split(/[.+-]/).map((part) => Number(part) || 0);

const isNewer = (one: string, other: string): boolean => {
  const left = partsOf(one);
  const right = partsOf(other);
  const at = left.findIndex((part, index) => part !== (right[index] ?? 0));
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
};

/** Parses a changelog in the format of Keep a Changelog: the entries of each version, in its order. */
export const parseChangelog = (text: string): readonly Changes[] =>
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = "", ...lines] = section.split("\n");
      const entries = lines
        .filter((line) => !line.startsWith("#"))
        .join("\n")
        .split(/^- /m)
        .slice(1)
        .map(
          (entry) =>
            entry
              .split(/\n\s*\n/)[0]
              ?.replace(/\s+/g, " ")
              .trim() ?? "",
        );
      return { version: /\d+\.\d+\.\d+[\w.+-]*/.exec(title)?.[0] ?? title.trim(), entries };
    });

/**
 * Describes the running and the installed version. `changes` has the versions that a restart brings; without one,
 * the running version, or what is not released yet when the changelog does not name it.
 */
export const describeVersion = (running: string, installed: string, changelog: string): Version => {
  const all = parseChangelog(changelog).filter(({ entries }) => entries.length > 0);
  const coming = all.filter(({ version }) => /^\d/.test(version) && isNewer(version, running));
  const current = all.filter(({ version }) => version === running);
  const changes = coming.length > 0 ? coming : current.length > 0 ? current : all.slice(0, 1);
  return { running, installed, changes };
};

/** Reads the version of the product in `folder`; "unknown" when it has none. */
export const readVersion = async (folder: string): Promise<string> => {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "{}");
  const { version } = JSON.parse(text) as { readonly version?: unknown };
  return typeof version === "string" ? version : "unknown";
};

/** Creates the function that describes the version of the product in `folder`, which an update may have replaced. */
export const createReadVersion = (folder: string): (() => Promise<Version>) => {
  const running = readVersion(folder);
  return async () => {
    const changelog = await readFile(join(folder, "CHANGELOG.md"), "utf8").catch(() => "");
    return describeVersion(await running, await readVersion(folder), changelog);
  };
};
