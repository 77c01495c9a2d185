/** One environment variable: how its text is read, and what the operator is told when it cannot be. */
export interface Setting<A> {
  readonly variable: string;
  /** What an absent or empty variable means. */
  readonly standard: A;
  /** What the variable wants, as the end of a sentence. */
  readonly wants: string;
  /** The value, or undefined when the text is not one. */
  readonly read: (text: string) => A | undefined;
  /** Whether the text may hold a secret, so that a refusal must not repeat it. */
  readonly secret?: boolean;
}

/** The operator's setting cannot be used; `message` is one line that says which, what it is and what is wanted. */
export class BadSetting extends Error {}

/** Reads one setting from the environment; throws `BadSetting`. */
export const readSetting = <A>(setting: Setting<A>, environment: NodeJS.ProcessEnv): A => {
  const text = environment[setting.variable]?.trim() ?? "";
  if (text === "") return setting.standard;
  const value = setting.read(text);
  if (value !== undefined) return value;
  const got = setting.secret ? "a value that is not one" : JSON.stringify(text);
  throw new BadSetting(`${setting.variable} is ${got}; it wants ${setting.wants}.`);
};
