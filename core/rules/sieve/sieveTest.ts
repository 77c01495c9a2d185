import type { Condition } from "../model/condition.ts";
import { type ConditionField, fieldEntry } from "../model/conditionField.ts";
import { type ConditionNode, isGroup } from "../model/conditionGroup.ts";
import { splitAtCommas } from "../model/conditionValue.ts";
import { quotedList } from "./sieveSyntax.ts";

/** A test in Sieve, and the extensions that it needs. */
export interface SieveTest {
  readonly text: string;
  readonly extensions: readonly string[];
}

const bytesPerUnit = 1_024;

/** Typed addresses are lists, because none contains a comma. */
const textsOf = ({ field, value }: Condition): readonly string[] =>
  typeof value === "string" && fieldEntry(field).kind === "address"
    ? splitAtCommas(value)
    : [value].flat().map(String);

/** Escapes what ":matches" takes for wildcards. */
const literal = (text: string): string => text.replace(/[*?\\]/g, "\\$&");

/** Returns the comparison after the name of a test: ':contains "subject" ["a", "b"]'; null when Sieve has none. */
const comparison = (
  { operator }: Condition,
  texts: readonly string[],
  subject: string,
): { readonly text: string; readonly isNegated: boolean; readonly extensions: readonly string[] } | null => {
  const compare = (tag: string, list: readonly string[], isNegated = false, extensions: string[] = []) => ({
    text: `${tag}${subject} ${quotedList(list)}`,
    isNegated,
    extensions,
  });
  switch (operator) {
    case "contains":
      return compare(":contains", texts);
    case "not_contains":
      return compare(":contains", texts, true);
    case "equals":
    case "in_list":
      return compare(":is", texts);
    case "not_in_list":
      return compare(":is", texts, true);
    case "starts_with":
      return compare(
        ":matches",
        texts.map((text) => `${literal(text)}*`),
      );
    case "ends_with":
      return compare(
        ":matches",
        texts.map((text) => `*${literal(text)}`),
      );
    case "matches_regex":
      return isPortable(texts[0] ?? "") ? compare(":regex", texts, false, ["regex"]) : null;
    default:
      return null;
  }
};

/** True if an expression means the same as POSIX has it, which Sieve's servers use. */
const isPortable = (pattern: string): boolean => !/\\[A-Za-z0-9]|\(\?|[*+?}]\?|\[\[?:|[\r\n]/.test(pattern);

const textTest = (
  condition: Condition,
  name: string,
  subject: string,
  extensions: readonly string[] = [],
): SieveTest | null => {
  const found = comparison(condition, textsOf(condition), subject);
  if (found === null) return null;
  return {
    text: `${found.isNegated ? "not " : ""}${name} ${found.text}`,
    extensions: [...extensions, ...found.extensions],
  };
};

/** The end of an address is compared by domain, unless it is written with "@" or a dot before it. */
const addressTest = (condition: Condition, headers: readonly string[]): SieveTest | null => {
  const subject = ` ${quotedList(headers)}`;
  if (condition.operator !== "ends_with") return textTest(condition, "address", subject);
  const ends = textsOf(condition).flatMap((text) =>
    text.includes("@") || text.startsWith(".")
      ? [`*${literal(text)}`]
      : [`*@${literal(text)}`, `*.${literal(text)}`],
  );
  return { text: `address :matches${subject} ${quotedList(ends)}`, extensions: [] };
};

const sizeTest = ({ operator, value }: Condition): SieveTest | null => {
  const [from = 0, to = 0] = [value].flat().map((one) => Number(one) * bytesPerUnit);
  switch (operator) {
    case "greater_than":
      return { text: `size :over ${Math.floor(from)}`, extensions: [] };
    case "less_than":
      return { text: `size :under ${Math.ceil(from)}`, extensions: [] };
    case "between":
      return {
        text: `not anyof (size :under ${Math.ceil(from)}, size :over ${Math.floor(to)})`,
        extensions: [],
      };
    default:
      return null;
  }
};

const dateTest = ({ operator, value }: Condition): SieveTest | null => {
  const days = [value].flat().map(String);
  if (days.some((day) => day.length !== 10)) return null;
  const is = (relation: string, day: string): string =>
    `currentdate :zone "+0000" :value "${relation}" "date" ${quotedList([day])}`;
  const [from = "", to = ""] = days;
  const extensions = ["date", "relational"];
  switch (operator) {
    case "after_date":
      return { text: is("gt", from), extensions };
    case "before_date":
      return { text: is("lt", from), extensions };
    case "between":
      return { text: `allof (${is("ge", from)}, ${is("le", to)})`, extensions };
    default:
      return null;
  }
};

/** Sieve compares a whole text with its last line break, so only parts of it mean the same. */
const bodyTest = (condition: Condition): SieveTest | null =>
  ["contains", "not_contains", "matches_regex"].includes(condition.operator)
    ? textTest(condition, "body :text", "", ["body"])
    : null;

/** Either of two tests; where an operator is negative, both. */
const either = (condition: Condition, tests: readonly (SieveTest | null)[]): SieveTest | null => {
  const found = tests.flatMap((test) => test ?? []);
  if (found.length < tests.length) return null;
  const how = condition.operator.startsWith("not_") ? "allof" : "anyof";
  return {
    text: `${how} (${found.map(({ text }) => text).join(", ")})`,
    extensions: found.flatMap(({ extensions }) => extensions),
  };
};

const addressOf =
  (...headers: readonly string[]) =>
  (condition: Condition): SieveTest | null =>
    addressTest(condition, headers);

const subjectTest = (condition: Condition): SieveTest | null => textTest(condition, "header", ' "subject"');

/** The identifier of a list is a part of List-Id, so only parts of it can be compared. */
const listTest = (condition: Condition): SieveTest | null =>
  condition.operator === "contains" || condition.operator === "not_contains"
    ? textTest(condition, "header", ' "list-id"')
    : null;

/** The fields that Sieve can compare. */
const fieldTests: Readonly<Partial<Record<ConditionField, (condition: Condition) => SieveTest | null>>> = {
  subject: subjectTest,
  body: bodyTest,
  text: (condition) => either(condition, [subjectTest(condition), bodyTest(condition)]),
  header: (condition) => textTest(condition, "header", ` ${quotedList([condition.header ?? ""])}`),
  list: listTest,
  sender: addressOf("from"),
  email: addressOf("from"),
  recipient: addressOf("to", "cc"),
  size: sizeTest,
  date: dateTest,
};

const conditionTest = (condition: Condition): SieveTest | null =>
  fieldTests[condition.field]?.(condition) ?? null;

/** The tests of a list of conditions as one; null when there is none for one of them. */
export const joinTests = (how: "allof" | "anyof", nodes: readonly ConditionNode[]): SieveTest | null => {
  const tests = nodes.map(nodeTest);
  const found = tests.flatMap((test) => test ?? []);
  const [only] = found;
  if (only === undefined || found.length < tests.length) return null;
  if (found.length === 1) return only;
  return {
    text: `${how} (${found.map(({ text }) => text).join(", ")})`,
    extensions: found.flatMap(({ extensions }) => extensions),
  };
};

/** Returns the test of a condition or a group; null when Sieve has none with the same meaning. */
export const nodeTest = (node: ConditionNode): SieveTest | null => {
  if (!isGroup(node)) return conditionTest(node);
  const joined = joinTests(node.match === "all" ? "allof" : "anyof", node.conditions);
  if (joined === null || node.match !== "none") return joined;
  return { text: `not ${joined.text}`, extensions: joined.extensions };
};
