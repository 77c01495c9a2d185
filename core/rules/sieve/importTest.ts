import * as E from "fp-ts/lib/Either.js";
import { Condition } from "../model/condition.ts";
import type { ConditionNode } from "../model/conditionGroup.ts";
import type { Operator } from "../model/conditionOperator.ts";
import type { ConditionValue } from "../model/conditionValue.ts";
import { allOf, anyOf, negated } from "./combineTests.ts";
import type { SieveNode } from "./sieveSyntax.ts";

/** A condition for a test; left: why there is none. */
export type ImportedTest = E.Either<string, ConditionNode>;

const bytesPerUnit = 1_024;

const tagsOf = ({ args }: SieveNode): ReadonlySet<string> =>
  new Set(args.flatMap((arg) => (arg.kind === "tag" ? [arg.tag] : [])));

const listsOf = ({ args }: SieveNode): readonly (readonly string[])[] =>
  args.flatMap((arg) => (arg.kind === "strings" ? [arg.strings] : []));

const unknown = (node: SieveNode, why = "this test is not known here"): E.Either<string, never> =>
  E.left(`line ${node.line}: “${node.name}”, ${why}`);

const checked = (node: SieveNode, condition: unknown): ImportedTest =>
  E.mapLeft((errors: readonly { readonly message?: string | undefined }[]) => {
    return `line ${node.line}: “${node.name}”, ${errors[0]?.message ?? "it cannot be compared"}`;
  })(Condition.decode(condition));

type Compared = Readonly<{ operator: Operator; value: ConditionValue }>;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

interface Wildcards {
  readonly pieces: readonly string[];
  readonly isSimple: boolean;
}

/** Splits a pattern of ":matches" at its wildcards; it is simple when "*" is the only one. */
const splitWildcards = (pattern: string): Wildcards => {
  const pieces = [""];
  let isSimple = true;
  for (const [part] of pattern.matchAll(/\\[\s\S]|[\s\S]/gu)) {
    const last = pieces.length - 1;
    if (part === "*") pieces.push("");
    else {
      if (part === "?") isSimple = false;
      pieces[last] += part.length > 1 && part.startsWith("\\") ? part.slice(1) : part;
    }
  }
  return { pieces, isSimple };
};

const toExpression = (pattern: string): string =>
  `^${Array.from(pattern.matchAll(/\\[\s\S]|[\s\S]/gu), ([part]) => {
    if (part === "*") return "[\\s\\S]*";
    return part === "?" ? "[\\s\\S]" : escaped(part.replace(/^\\(?=.)/, ""));
  }).join("")}$`;

/** Returns the operator that means the same as a pattern of ":matches". */
const comparePattern = (pattern: string): Compared => {
  const { pieces, isSimple } = splitWildcards(pattern);
  const [first = "", second = "", third] = pieces;
  if (isSimple && pieces.length === 1) return { operator: "equals", value: [first] };
  if (isSimple && pieces.length === 2 && second === "" && first !== "")
    return { operator: "starts_with", value: [first] };
  if (isSimple && pieces.length === 2 && first === "" && second !== "")
    return { operator: "ends_with", value: [second] };
  if (isSimple && pieces.length === 3 && first === "" && third === "" && second !== "")
    return { operator: "contains", value: [second] };
  return { operator: "matches_regex", value: toExpression(pattern) };
};

/** Joins patterns that have the same operator to one comparison with several values. */
const joinPatterns = (patterns: readonly string[]): readonly Compared[] => {
  const found = patterns.map(comparePattern);
  const lists = new Map<Operator, string[]>();
  for (const { operator, value } of found)
    if (Array.isArray(value)) lists.set(operator, [...(lists.get(operator) ?? []), ...value.map(String)]);
  return [
    ...Array.from(lists, ([operator, value]) => ({ operator, value })),
    ...found.filter(({ operator }) => operator === "matches_regex"),
  ];
};

/** Returns the comparisons of a test with its keys, each alternative separately; null when they are not known here. */
const comparisons = (node: SieveNode, keys: readonly string[]): readonly Compared[] | null => {
  const tags = tagsOf(node);
  if (tags.has(":contains")) return [{ operator: "contains", value: keys }];
  if (tags.has(":matches")) return joinPatterns(keys);
  if (tags.has(":regex")) return keys.map((key) => ({ operator: "matches_regex", value: key }));
  return tags.has(":value") || tags.has(":count") ? null : [{ operator: "equals", value: keys }];
};

const alternatives = (
  node: SieveNode,
  fields: readonly object[],
  compared: readonly Compared[] | null,
): ImportedTest => {
  if (compared === null || compared.length === 0) return unknown(node, "it is not compared so here");
  const all = fields.flatMap((field) => compared.map((how) => checked(node, { ...field, ...how })));
  const nodes: ConditionNode[] = [];
  for (const one of all) {
    if (E.isLeft(one)) return one;
    nodes.push(one.right);
  }
  return E.right(anyOf(nodes));
};

const headerFields: Readonly<Record<string, object>> = {
  subject: { field: "subject" },
  "list-id": { field: "list" },
};

const importHeader = (node: SieveNode): ImportedTest => {
  const [headers = [], keys = []] = listsOf(node);
  if (tagsOf(node).has(":mime")) return unknown(node);
  const isList = tagsOf(node).has(":contains");
  const fields = headers.map((name) => {
    const known = headerFields[name.toLowerCase()];
    return known && (isList || name.toLowerCase() !== "list-id") ? known : { field: "header", header: name };
  });
  return alternatives(node, fields, comparisons(node, keys));
};

const addressFields: Readonly<Record<string, object>> = {
  from: { field: "sender" },
  to: { field: "recipient" },
  cc: { field: "recipient" },
};

/** Compares the domain or the local part of an address by the whole address. */
const withPart = (tags: ReadonlySet<string>, key: string): string | null => {
  const part = tags.has(":domain") ? "domain" : tags.has(":localpart") ? "localpart" : "all";
  if (part === "all") return key;
  const pattern = tags.has(":matches")
    ? key
    : tags.has(":is") || !tags.has(":contains")
      ? escapeGlob(key)
      : null;
  if (pattern === null) return null;
  if (part === "localpart") return `${pattern}@*`;
  return pattern.startsWith("*") ? `*@*${pattern.slice(1)}` : `*@${pattern}`;
};

const escapeGlob = (text: string): string => text.replace(/[*?\\]/g, "\\$&");

const importAddress = (node: SieveNode): ImportedTest => {
  const [headers = [], keys = []] = listsOf(node);
  const fields = [...new Set(headers.map((name) => addressFields[name.toLowerCase()]))];
  const known = [
    ...new Map(fields.flatMap((one) => (one ? [[JSON.stringify(one), one] as const] : []))).values(),
  ];
  if (fields.includes(undefined) || known.length === 0)
    return unknown(node, "this address is not looked at here");
  const tags = tagsOf(node);
  if (!tags.has(":domain") && !tags.has(":localpart"))
    return alternatives(node, known, comparisons(node, keys));
  if (tags.has(":regex") || tags.has(":value") || tags.has(":count")) return unknown(node);
  const patterns = keys.map((key) => withPart(tags, key));
  return patterns.includes(null)
    ? unknown(node, "a part of an address is not compared so here")
    : alternatives(node, known, joinPatterns(patterns.map(String)));
};

const importSize = (node: SieveNode): ImportedTest => {
  const bytes = node.args.find((arg) => arg.kind === "number");
  if (bytes?.kind !== "number") return unknown(node);
  const operator = tagsOf(node).has(":over") ? "greater_than" : "less_than";
  return checked(node, { field: "size", operator, value: bytes.number / bytesPerUnit });
};

/** A text ends with a line break in Sieve, so only parts of it are compared as here. */
const comparesPart = ({ operator }: Compared): boolean =>
  operator === "contains" || operator === "matches_regex";

const importBody = (node: SieveNode): ImportedTest => {
  const [keys = []] = listsOf(node).slice(-1);
  const tags = tagsOf(node);
  if (tags.has(":raw") || tags.has(":content"))
    return unknown(node, "only the text of an email is looked at here");
  const compared = comparisons(node, keys);
  return alternatives(node, [{ field: "body" }], compared?.every(comparesPart) ? compared : null);
};

const dateRelations: Readonly<Record<string, { readonly operator: Operator; readonly isOpposite: boolean }>> =
  {
    gt: { operator: "after_date", isOpposite: false },
    lt: { operator: "before_date", isOpposite: false },
    ge: { operator: "before_date", isOpposite: true },
    le: { operator: "after_date", isOpposite: true },
  };

const importDate = (node: SieveNode): ImportedTest => {
  const [zone = [], relation = [], part = [], days = []] = listsOf(node);
  const known = dateRelations[relation[0] ?? ""];
  if (zone[0] !== "+0000" || part[0] !== "date" || known === undefined || days.length !== 1)
    return unknown(node, "this date is not compared here");
  const { operator, isOpposite } = known;
  return E.map((one: ConditionNode) => (isOpposite ? negated([one]) : one))(
    checked(node, { field: "date", operator, value: days[0] }),
  );
};

const importAll = (tests: readonly SieveNode[]): E.Either<string, readonly ConditionNode[]> => {
  const nodes: ConditionNode[] = [];
  for (const test of tests) {
    const one = importTest(test);
    if (E.isLeft(one)) return one;
    nodes.push(one.right);
  }
  return E.right(nodes);
};

/** A condition that every mail meets, as each has a byte or more. */
export const always: ConditionNode = { field: "size", operator: "greater_than", value: 0 };

/** Returns the condition or group that means the same as a test; left: which part of it is not known here. */
export const importTest = (node: SieveNode): ImportedTest => {
  const { name, tests, args } = node;
  switch (name) {
    case "header":
      return importHeader(node);
    case "address":
      return importAddress(node);
    case "size":
      return importSize(node);
    case "body":
      return importBody(node);
    case "currentdate":
      return importDate(node);
    case "exists":
      return alternatives(
        node,
        (listsOf(node)[0] ?? []).map((header) => ({ field: "header", header })),
        args.length === 1 && listsOf(node)[0]?.length === 1
          ? [{ operator: "matches_regex", value: "^" }]
          : null,
      );
    case "true":
      return E.right(always);
    case "false":
      return E.right({ match: "none", conditions: [always] });
    case "not":
      return E.map(negated)(importAll(tests));
    case "allof":
    case "anyof":
      return E.map(name === "allof" ? allOf : anyOf)(importAll(tests));
    default:
      return unknown(node);
  }
};
