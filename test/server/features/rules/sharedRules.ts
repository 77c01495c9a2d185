import type { Condition } from "../../../../core/rules/model/condition.ts";

/** One rule in Bauta's format and in Sieve (RFC 5228, 5173; draft-ietf-sieve-regex). */
export interface SharedRule {
  readonly conditions: readonly Condition[];
  /** A Sieve test, as written after "if". */
  readonly sieve: string;
}

const one = (
  field: Condition["field"],
  operator: Condition["operator"],
  value: string | readonly string[],
  sieve: string,
): SharedRule => ({ conditions: [{ field, operator, value }], sieve });

const both = (first: SharedRule, second: SharedRule): SharedRule => ({
  conditions: [...first.conditions, ...second.conditions],
  sieve: `allof (${first.sieve}, ${second.sieve})`,
});

const test = one("subject", "contains", "test", 'header :contains "subject" "test"');
const attachment = one("subject", "contains", ["attachment"], 'header :contains "subject" "attachment"');
const example = one("sender", "contains", "example", 'address :contains "from" "example"');
const greeting = one("body", "contains", "hello", 'body :text :contains "hello"');

/** Rules on the subject, which both decode (RFC 2047). */
export const subjectRules: readonly SharedRule[] = [
  test,
  attachment,
  one("subject", "contains", "mail", 'header :contains "subject" "MAIL"'),
  one("subject", "contains", ["re:", "fwd:"], 'header :contains "subject" ["re:", "fwd:"]'),
  one("subject", "contains", "é", 'header :contains "subject" "é"'),
  one("subject", "contains", "漢字", 'header :contains "subject" "漢字"'),
  one("subject", "contains", "*", 'header :contains "subject" "*"'),
  one("subject", "contains", "?", 'header :contains "subject" "?"'),
  one("subject", "not_contains", "test", 'not header :contains "subject" "test"'),
  one("subject", "equals", "test", 'header :is "subject" "test"'),
  one("subject", "equals", "SAYING HELLO", 'header :is "subject" "Saying hello"'),
  one("subject", "equals", "plain text", 'header :is "subject" "plain text"'),
  one(
    "subject",
    "in_list",
    ["Test", "Hello", "Test message"],
    'header :is "subject" ["test", "hello", "test message"]',
  ),
  one("subject", "not_in_list", ["test", "hello"], 'not header :is "subject" ["test", "hello"]'),
  one("subject", "starts_with", "test", 'header :matches "subject" "test*"'),
  one("subject", "starts_with", "Re:", 'header :matches "subject" "re:*"'),
  one("subject", "starts_with", ["mime", "multi"], 'header :matches "subject" ["mime*", "multi*"]'),
  one("subject", "ends_with", "message", 'header :matches "subject" "*message"'),
  one("subject", "ends_with", ["test", "."], 'header :matches "subject" ["*test", "*."]'),
  one("subject", "matches_regex", "[0-9]+", 'header :regex "subject" "[0-9]+"'),
  one("subject", "matches_regex", "^re: ", 'header :regex "subject" "^re: "'),
  one("subject", "matches_regex", "(test|mail)$", 'header :regex "subject" "(test|mail)$"'),
  both(test, one("subject", "not_contains", "attachment", 'not header :contains "subject" "attachment"')),
];

/** Rules on the address in From. */
export const senderRules: readonly SharedRule[] = [
  example,
  one("sender", "contains", "@E", 'address :contains "from" "@e"'),
  one("sender", "equals", "james@makita.skynet", 'address :is "from" "JAMES@Makita.Skynet"'),
  one(
    "sender",
    "in_list",
    ["foo@example.com", "barry@python.org"],
    'address :is "from" ["foo@example.com", "barry@python.org"]',
  ),
  one("sender", "starts_with", "j", 'address :matches "from" "j*"'),
  one("email", "contains", ["gmail", "python"], 'address :contains "from" ["gmail", "python"]'),
  one("email", "not_contains", "example", 'not address :contains "from" "example"'),
  one("email", "ends_with", "@example.com", 'address :domain :is "from" "example.com"'),
  one("email", "ends_with", "org", 'address :domain :matches "from" "*.org"'),
  one("email", "matches_regex", "^[a-z]+@", 'address :regex "from" "^[a-z]+@"'),
];

/** Rules on the text, which both decode (RFC 2045). */
export const bodyRules: readonly SharedRule[] = [
  greeting,
  one("body", "contains", "the", 'body :text :contains "the"'),
  one("body", "contains", ["please", "thank"], 'body :text :contains ["please", "thank"]'),
  one("body", "contains", ["ö", "ø", "かき"], 'body :text :contains ["ö", "ø", "かき"]'),
  one("body", "not_contains", "the", 'not body :text :contains "the"'),
  one("body", "matches_regex", "[0-9]{4}", 'body :text :regex "[0-9]{4}"'),
  {
    conditions: [{ field: "text", operator: "contains", value: "test" }],
    sieve: 'anyof (header :contains "subject" "test", body :text :contains "test")',
  },
  both(example, greeting),
];
