/** The shortest text that is worth searching for. */
const minLength = 3;

/**
 * The elements of an expression. Other escapes and what begins with `(?` mean more than a character, and are nothing of this.
 */
const steps = {
  class: String.raw`\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\]`,
  wildcard: String.raw`[.^$]|\\[dDwWsSbBAz]`,
  open: String.raw`\((?!\?)`,
  close: String.raw`\)`,
  or: String.raw`\|`,
  times: String.raw`[*+?]|\{\d+(?:,\d*)?\}`,
  escaped: String.raw`\\[^a-zA-Z0-9]`,
  literal: String.raw`[^[\](){}*+?|\\.^$]`,
};

const anyStep = new RegExp(
  Object.entries(steps)
    .map(([name, source]) => `(?<${name}>${source})`)
    .join("|"),
  "uy",
);

type Step = Readonly<Record<string, string | undefined>>;

/** Returns the steps of an expression; null when it has anything else. */
const readSteps = (pattern: string): readonly Step[] | null => {
  const found: Step[] = [];
  anyStep.lastIndex = 0;
  while (anyStep.lastIndex < pattern.length) {
    const step = anyStep.exec(pattern)?.groups;
    if (!step) return null;
    found.push(step);
  }
  return found;
};

/** Returns the steps outside of groups, and those that close one. */
const outsideGroups = (all: readonly Step[]): readonly Step[] => {
  let depth = 0;
  return all.filter(({ open, close }) => {
    if (open) depth += 1;
    if (close) depth -= 1;
    return depth === 0;
  });
};

/** Returns the character that a step stands for, in lower case; null when there are several or it is not ASCII. */
const characterOf = ({ literal, escaped }: Step): string | null => {
  const character = literal ?? escaped?.slice(1) ?? null;
  return character !== null && character < "\u0080" ? character.toLowerCase() : null;
};

/** Converts a text to the form in which a required text is searched: lower case, as RE2 folds it. */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll("\u017f", "s");

/**
 * Returns a text that is in every match of a regular expression (RE2 syntax, without regard to case), in lower case; null
 * when there is none of three characters or it is not known.
 */
export const requiredText = (pattern: string): string | null => {
  const outside = outsideGroups(readSteps(pattern) ?? []);
  if (outside.some(({ or }) => or)) return null;
  let longest = "";
  let run = "";
  for (const [n, step] of outside.entries()) {
    const character = outside[n + 1]?.["times"] ? null : characterOf(step);
    run = character === null ? "" : run + character;
    if (run.length > longest.length) longest = run;
  }
  return longest.length >= minLength ? longest : null;
};
