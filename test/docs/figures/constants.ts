import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { runInNewContext } from "node:vm";
import { settingTable } from "../../../server/platform/config/settingTable.ts";

const root = new URL("../../../", import.meta.url);
const sources = new Map<string, string>();

const sourceOf = (file: string): string => {
  const known =
    sources.get(file) ?? readFileSync(new URL(file, root), "utf8").replace(/\/\*\*[\s\S]*?\*\//g, "");
  sources.set(file, known);
  return known;
};

/** Returns the constant of a file, or of the file that it is imported from; undefined where there is none. */
const constantOf = (file: string, name: string): unknown => {
  const source = sourceOf(file);
  const own = new RegExp(`^(?:export )?const ${name}\\b(?:: [^=]+)? =\\s+([^;]+);`, "m").exec(source)?.[1];
  if (own !== undefined) {
    const expression = own.replace(/ as const$/, "").replace(/new URL\([^)]*\)/, "null");
    const names = expression.match(/(?<![.\w"'])[a-zA-Z]\w*/g) ?? [];
    const known = names.map((one) => [one, one === name ? undefined : constantOf(file, one)] as const);
    return runInNewContext(
      `(${expression})`,
      Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    );
  }
  const from = new RegExp(`^import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from "(\\.[^"]+)";`, "m").exec(
    source,
  )?.[1];
  return from === undefined ? undefined : constantOf(posix.join(posix.dirname(file), from), name);
};

/** The units of a number that a sentence tells, by what the constant is divided by. */
const units: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  KiB: 1_024,
  MiB: 1_024 ** 2,
  GiB: 1_024 ** 3,
  kB: 1_000,
  hourly: 1 / 3_600,
  percent: 1 / 100,
  bits: 1 / 8,
};

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** As a sentence spells a small number: "five", and "hundred". */
const spelled = (value: number): string => words[value] ?? (value === 100 ? "hundred" : String(value));

const shown = (value: unknown, unit: string | undefined): string => {
  if (typeof value === "string") return value;
  if (typeof value !== "number") throw new Error("is no number");
  if (unit === "word") return spelled(value);
  if (unit === "Word") return spelled(value).replace(/^./, (letter) => letter.toUpperCase());
  if (unit === "minWord") return spelled(value / 60_000);
  const divisor = unit === undefined ? 1 : units[unit];
  if (divisor === undefined)
    throw new Error(`has the unit "${unit}", which is none of ${Object.keys(units)}`);
  return new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 }).format(value / divisor);
};

const read = (place: string, path: string | undefined): unknown => {
  if (path === undefined) {
    const settings: Readonly<Record<string, object>> = settingTable;
    const setting = settings[place];
    return setting && "default" in setting ? setting.default : undefined;
  }
  const [name = "", ...members] = path.split(".");
  return members.reduce<unknown>(
    (value, member) => (value as Readonly<Record<string, unknown>> | undefined)?.[member],
    constantOf(existsSync(new URL(`${place}.ts`, root)) ? `${place}.ts` : `${place}.tsx`, name),
  );
};

/**
 * Fills a phrase with the constants that it names: `{core/held/heldMail heldDays}` is `heldDays` of core/held/heldMail.ts where
 * it stands, exported or not; a third word is the unit in which a time or a size is told, as in `{… retriedForMs h}`; and
 * `{SUBDOMAINS}` is the default of a setting. Throws for one that is not there.
 */
export const told = (phrase: string): string =>
  phrase.replace(
    /\{([\w/]+)(?: ([\w.]+))?(?: (\w+))?\}/g,
    (place, file: string, path?: string, unit?: string) => {
      try {
        return shown(read(file, path), unit);
      } catch (error) {
        throw new Error(`${place} in “${phrase}” ${error instanceof Error ? error.message : error}`);
      }
    },
  );
