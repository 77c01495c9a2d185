import { type Format, SettingError } from "./settings.ts";

interface Described<A> {
  readonly name: string;
  readonly format: Format<A>;
  /** Markdown for operators: what the setting does. */
  readonly meaning: string;
  /** True if an error must not repeat the value, which may contain a password or a key. */
  readonly isSecret?: boolean;
}

/** A setting that has a value without being set; `default` is written as in the environment. */
export interface DefaultedSetting<A> extends Described<A> {
  readonly default: string;
}

/** A setting that may be absent; `otherwise` tells operators what happens then. */
export interface OptionalSetting<A> extends Described<A> {
  readonly otherwise: string;
}

/** Reads a setting; an optional one that is absent or empty is null. */
export interface Read {
  <A>(setting: DefaultedSetting<A>): A;
  <A>(setting: OptionalSetting<A>): A | null;
}

type Group<G> = { readonly [N in keyof G]: OptionalSetting<G[N]> };

/** Creates the functions that read the environment; they throw a `SettingError` for an invalid variable. */
export const createSettingReaders = (environment: Readonly<Record<string, string | undefined>>) => {
  const textOf = (variable: string) => environment[variable]?.trim() ?? "";
  const describe = <A>({ isSecret }: Described<A>, text: string) =>
    isSecret === true ? "set to an invalid value" : JSON.stringify(text);

  function read<A>(setting: DefaultedSetting<A>): A;
  function read<A>(setting: OptionalSetting<A>): A | null;
  function read<A>(setting: DefaultedSetting<A> | OptionalSetting<A>): A | null {
    const text = textOf(setting.name) || ("default" in setting ? setting.default : "");
    if (text === "") return null;
    const value = setting.format.parse(text);
    if (value !== undefined) return value;
    throw new SettingError(
      `${setting.name} is ${describe(setting, text)}; expected ${setting.format.expected}.`,
    );
  }

  /** Reads settings that belong together; null when none is set. `optional` ones require the others. */
  const readGroup = <G extends object>(
    purpose: string,
    group: Group<G>,
    optional: readonly OptionalSetting<unknown>[],
  ): G | null => {
    const settings = Object.entries<OptionalSetting<unknown>>(group);
    const values = settings.map(([key, setting]) => [key, read(setting)]);
    const required = settings.map(([, { name }]) => name);
    const missing = required.filter((name) => textOf(name) === "");
    if (missing.length === 0) return Object.fromEntries(values) as G;
    const present = [...required, ...optional.map(({ name }) => name)].find((name) => textOf(name) !== "");
    if (present === undefined) return null;
    const names =
      missing.length === 1
        ? `${missing[0]} is`
        : `${missing.slice(0, -1).join(", ")} and ${missing.at(-1)} are`;
    const expected = `all of ${required.join(", ")} for ${purpose}`;
    throw new SettingError(`${names} not set; expected ${expected}, because ${present} is set.`);
  };

  return { read, readGroup };
};
