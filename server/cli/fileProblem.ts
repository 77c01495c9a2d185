import { readFileSync } from "node:fs";
import { CommandError } from "./command.ts";

/** The sentences about a path for the codes of failed file operations. */
const sentences: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no ${path}`,
  ENOTDIR: (path) => `${path} leads through something that is no folder`,
  EISDIR: (path) => `${path} is a folder, not a file`,
  EACCES: (path) => `${path} may not be opened by this user`,
  EPERM: (path) => `${path} may not be changed by this user`,
  EROFS: (path) => `${path} is on a file system that cannot be written to`,
  EEXIST: (path) => `${path} is there already`,
  ELOOP: (path) => `${path} is a link, which is not followed`,
  ENAMETOOLONG: (path) => `${path} is too long a name`,
};

/** Returns the sentence for an error of the file system, for the operator; null for another error. */
export const fileProblem = (error: unknown, file = "the file"): string | null => {
  if (!(error instanceof Error) || !("code" in error)) return null;
  const path = "path" in error && typeof error.path === "string" ? error.path : file;
  if (error.code === "ENOSPC" || error.code === "EDQUOT") return "The disk is full.";
  const sentence = sentences[String(error.code)]?.(path);
  return sentence === undefined ? null : `${sentence} (${String(error.code)}).`;
};

/** Returns the text of a file that an option names; throws a `CommandError` that says why it cannot be read. */
export const readOptionFile = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError(fileProblem(error, file) ?? `${file} cannot be read.`);
  }
};
