import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "../errors/errorCode.ts";
import { SettingError } from "./settings.ts";

/** Settings by name, as in the environment. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** Returns the path of the settings file: BAUTA_SETTINGS, or bauta.env in the current folder. */
export const settingsPath = (environment: Settings): string =>
  resolve(environment["BAUTA_SETTINGS"]?.trim() || "bauta.env");

const assignment = /^([A-Z][A-Z0-9_]*)=(.*)$/;

/** A value may be quoted, as for systemd. */
const readValue = (text: string): string => {
  const value = text.trim();
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(value) ?? [];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, "$1");
  return /^'([^']*)'$/.exec(value)?.[1] ?? value;
};

const writeValue = (value: string): string =>
  /^[\w.,:/@%+=~-]*$/.test(value) ? value : `"${value.replace(/["\\$`]/g, "\\$&")}"`;

/** Parses the NAME=value lines of a settings file; throws a `SettingError` for any other line but a comment. */
export const parseSettings = (text: string, path: string): Settings =>
  Object.fromEntries(
    text.split(/\r?\n/).flatMap((line, index) => {
      if (line.trim() === "" || /^\s*[#;]/.test(line)) return [];
      const [, name, value] = assignment.exec(line.trim()) ?? [];
      if (name === undefined || value === undefined)
        throw new SettingError(`Line ${index + 1} of ${path} is not a setting; expected NAME=value.`);
      return [[name, readValue(value)]];
    }),
  );

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = errorCode(error) || "unknown";
    throw new SettingError(`The settings file ${path} cannot be read (${reason}).`);
  }
};

/** Returns the settings of the file and the environment, which takes precedence; the file may be missing. */
export const readSettings = (environment: Settings): Settings => {
  const path = settingsPath(environment);
  const stored = existsSync(path) ? parseSettings(readText(path), path) : {};
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  return { ...stored, ...Object.fromEntries(set) };
};

/** Returns the text of a settings file with these values; other lines, comments included, stay as they are. */
export const withSettings = (text: string, changes: Settings): string => {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const left = new Map(Object.entries(changes));
  const kept = lines.flatMap((line) => {
    const name = assignment.exec(line.trim())?.[1];
    if (name === undefined || !left.has(name)) return [line];
    const value = left.get(name);
    left.delete(name);
    return value === undefined ? [] : [`${name}=${writeValue(value)}`];
  });
  const added = [...left].flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${writeValue(value)}`],
  );
  return `${[...kept, ...added].join("\n")}\n`;
};

const newContent = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/**
 * Writes the settings file, readable by its owner only because it may contain passwords. Throws a `SettingError` for a
 * link, which could lead root to another file.
 */
export const writeSettings = (path: string, text: string): void => {
  try {
    const file = openSync(path, newContent, 0o600);
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errorCode(error) !== "ELOOP") throw error;
    throw new SettingError(`${path} is a link; set BAUTA_SETTINGS to the file itself.`);
  }
};
