import { choices, type Operator, type OperatorChoice, type ValueKind } from "./conditionOperator.ts";
import type { RuleType } from "./ruleType.ts";

/** The comparison that the values of a field allow. An address is text whose end is compared by domain. */
export type FieldKind = "text" | "address" | "category" | "time" | "date" | "measure" | "count";

/** The source of a field's value, which must be known before a mail can be compared with it. */
export type FieldSource =
  | "header"
  /** The visible text of the mail. */
  | "text"
  /** The names and types of the parts of the mail. */
  | "attachments"
  /** The number of bytes that arrived. */
  | "size"
  /** The checks of the sender. */
  | "proof"
  | "classifier"
  /** The time of arrival. */
  | "clock"
  /** The mask that the mail came to. */
  | "mask"
  /** The mail that the mask has received before. */
  | "history"
  /** The number of mails that the mask has received this month. */
  | "month";

interface KindChoices {
  /** The operators that the editor offers (the table of RU4), in its order. */
  readonly offered: readonly OperatorChoice[];
  /** The operators that are also valid. */
  readonly further: readonly OperatorChoice[];
}

const kinds: Readonly<Record<FieldKind, KindChoices>> = {
  text: {
    offered: [
      choices.contains,
      choices.notContains,
      choices.equalsText,
      choices.startsWith,
      choices.endsWith,
    ],
    further: [choices.matches, choices.inList, choices.notInList],
  },
  address: {
    offered: [choices.equalsText, choices.contains, choices.endsWithDomain],
    further: [choices.notContains, choices.startsWith, choices.matches, choices.inList, choices.notInList],
  },
  category: { offered: [choices.equalsText, choices.inList], further: [choices.notInList] },
  time: { offered: [choices.during], further: [] },
  date: { offered: [choices.after, choices.before], further: [choices.betweenDates] },
  measure: { offered: [choices.moreThan, choices.lessThan], further: [choices.betweenNumbers] },
  count: {
    offered: [choices.equalsNumber, choices.greaterThan, choices.lessThan],
    further: [choices.betweenNumbers],
  },
};

interface FieldEntry {
  readonly kind: FieldKind;
  readonly source: FieldSource;
  readonly label: string;
  /** The words in a sentence: "If subject …". */
  readonly phrase: string;
  /** The unit after the value, in the editor and in a sentence. */
  readonly unit?: string;
  /** The greatest valid number. */
  readonly atMost?: number;
  /** The only valid texts. */
  readonly values?: readonly string[];
  /** True if a condition also names the header that it compares. */
  readonly isNamed?: boolean;
  /** The measure or the comparison, where the label leaves it open. */
  readonly description?: string;
  /** The group of the editor's choice that offers it. */
  readonly group?: FieldGroupTitle;
  /** The field of the same meaning that the choice offers instead. */
  readonly meaning?: string;
  /** The type that is proposed for a rule that compares it. */
  readonly type: RuleType;
}

const groupTitles = [
  "Content",
  "Sender and recipient",
  "Attachments",
  "Time of arrival",
  "Mask",
  "Proof of the sender",
] as const;
type FieldGroupTitle = (typeof groupTitles)[number];

const share = { kind: "measure", source: "history", unit: "%", atMost: 100 } as const;
const days = { kind: "measure", source: "history", unit: "days" } as const;
const monthCount = { kind: "count", source: "month" } as const;
const verdicts = ["pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"] as const;
const check = { kind: "category", source: "proof", values: verdicts } as const;

/**
 * Every field of a condition, declared once for the editor, the codec and the sentence of a rule. A new field also
 * needs its reader in engine/conditionMatcher.ts, which the compiler asks for.
 */
const entries = {
  subject: {
    group: "Content",
    type: "content_filter",
    kind: "text",
    source: "header",
    label: "Subject",
    phrase: "subject",
  },
  body: {
    group: "Content",
    type: "content_filter",
    kind: "text",
    source: "text",
    label: "Body",
    phrase: "body",
  },
  text: {
    group: "Content",
    type: "content_filter",
    kind: "text",
    source: "text",
    label: "Subject or body",
    phrase: "subject or body",
  },
  sender: {
    group: "Sender and recipient",
    type: "sender_filter",
    kind: "address",
    source: "header",
    label: "Sender",
    phrase: "sender",
  },
  email: {
    meaning: "sender",
    type: "sender_filter",
    kind: "address",
    source: "header",
    label: "Sender's address",
    phrase: "sender's address",
  },
  recipient: {
    group: "Sender and recipient",
    type: "sender_filter",
    kind: "address",
    source: "header",
    label: "Recipient",
    phrase: "recipient",
  },
  mask: {
    group: "Mask",
    type: "content_filter",
    kind: "address",
    source: "mask",
    label: "Mask",
    phrase: "mask",
  },
  maskLabel: {
    group: "Mask",
    type: "content_filter",
    kind: "category",
    source: "mask",
    label: "Label of the mask",
    phrase: "label of the mask",
  },
  header: {
    group: "Sender and recipient",
    type: "content_filter",
    kind: "text",
    source: "header",
    label: "Header…",
    phrase: "header",
    isNamed: true,
  },
  list: {
    group: "Sender and recipient",
    type: "sender_filter",
    kind: "text",
    source: "header",
    label: "Mailing list",
    phrase: "mailing list",
  },
  language: {
    group: "Content",
    type: "content_filter",
    kind: "category",
    source: "header",
    label: "Language",
    phrase: "language",
  },
  size: {
    group: "Content",
    type: "limit",
    kind: "measure",
    source: "size",
    label: "Size",
    phrase: "size",
    unit: "KB",
  },
  attachmentName: {
    group: "Attachments",
    type: "content_filter",
    kind: "text",
    source: "attachments",
    label: "Attachment name",
    phrase: "name of an attachment",
  },
  attachmentType: {
    group: "Attachments",
    type: "content_filter",
    kind: "text",
    source: "attachments",
    label: "Attachment type",
    phrase: "type of an attachment",
  },
  attachmentCount: {
    group: "Attachments",
    type: "content_filter",
    kind: "count",
    source: "attachments",
    label: "Number of attachments",
    phrase: "number of attachments",
  },
  spf: {
    group: "Proof of the sender",
    type: "sender_filter",
    ...check,
    label: "SPF result",
    phrase: "SPF result",
  },
  dkim: {
    group: "Proof of the sender",
    type: "sender_filter",
    ...check,
    label: "DKIM result",
    phrase: "DKIM result",
  },
  dmarc: {
    group: "Proof of the sender",
    type: "sender_filter",
    ...check,
    label: "DMARC result",
    phrase: "DMARC result",
  },
  category: {
    group: "Content",
    type: "categorization",
    kind: "category",
    source: "classifier",
    label: "Category",
    phrase: "category",
  },
  time: {
    group: "Time of arrival",
    type: "time_based",
    kind: "time",
    source: "clock",
    label: "Time of arrival",
    phrase: "time of arrival",
  },
  date: {
    group: "Time of arrival",
    type: "time_based",
    kind: "date",
    source: "clock",
    label: "Date of arrival",
    phrase: "date of arrival",
  },
  lastActivity: {
    meaning: "days",
    type: "expiry",
    ...days,
    label: "Last activity",
    phrase: "time since the last email",
  },
  days: {
    group: "Mask",
    type: "expiry",
    ...days,
    label: "Days since the last email",
    phrase: "time since the mask's last email",
  },
  openRate: {
    group: "Mask",
    type: "limit",
    ...share,
    label: "Open rate (share forwarded)",
    phrase: "share of mail forwarded",
    description: "How much of the mask's mail was forwarded. Nobody sees which emails are opened.",
  },
  percentage: {
    meaning: "openRate",
    type: "limit",
    ...share,
    label: "Percentage forwarded",
    phrase: "percentage of mail forwarded",
  },
  emailCount: {
    group: "Mask",
    type: "limit",
    ...monthCount,
    label: "Emails this month",
    phrase: "emails this month",
  },
  number: {
    meaning: "emailCount",
    type: "limit",
    ...monthCount,
    label: "Number of emails this month",
    phrase: "number of emails this month",
  },
} as const satisfies Readonly<Record<string, FieldEntry>>;

/** The subject of a condition's comparison: a part of the mail, or a number about its mask (D31). */
export type ConditionField = keyof typeof entries;

/** The kind of a field. */
export type KindOf<F extends ConditionField> = (typeof entries)[F]["kind"];

export const isConditionField = (u: unknown): u is ConditionField =>
  typeof u === "string" && Object.hasOwn(entries, u);

/** Returns the kind, the source and the labels of a field, and the limit of its numbers. */
export const fieldEntry = (field: ConditionField): FieldEntry => entries[field];

/** Fields of the choice in the editor, under a title. */
export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly ConditionField[];
}

const fieldNames = Object.keys(entries).filter(isConditionField);

/** The choice in the editor: each thing once, under one name. */
export const fieldGroups: readonly FieldGroup[] = groupTitles.map((title) => ({
  title,
  fields: fieldNames.filter((field) => fieldEntry(field).group === title),
}));

/**
 * The further names that rules can have for a field. They stay readable in stored rules and are shown there as they
 * are; the choice leaves them out.
 */
export const fieldAliases: Readonly<Partial<Record<ConditionField, ConditionField>>> = Object.fromEntries(
  fieldNames.flatMap((field) => {
    const { meaning } = fieldEntry(field);
    return isConditionField(meaning) ? [[field, meaning]] : [];
  }),
);

/** Returns the operators that the editor offers for a field, in the order of B3. */
export const offeredOperators = (field: ConditionField): readonly OperatorChoice[] =>
  kinds[entries[field].kind].offered;

/** Returns the further valid operators, which other clients, suggestions and advanced users write. */
export const furtherOperators = (field: ConditionField): readonly OperatorChoice[] =>
  kinds[entries[field].kind].further;

/** The further operators that the editor offers as well, after those of B3. */
const offeredFurther: readonly Operator[] = ["matches_regex", "in_list", "not_in_list"];

/** Returns the operators that can be chosen in the editor for a field. */
export const selectableOperators = (field: ConditionField): readonly OperatorChoice[] => [
  ...offeredOperators(field),
  ...furtherOperators(field).filter(({ operator }) => offeredFurther.includes(operator)),
];

/** Returns the labels and the value kind of an operator for a field; undefined when the two do not fit. */
export const findOperatorChoice = (field: ConditionField, operator: Operator): OperatorChoice | undefined => {
  const fits = (one: OperatorChoice): boolean => one.operator === operator;
  return offeredOperators(field).find(fits) ?? furtherOperators(field).find(fits);
};

/** Returns the kind of value for a field and an operator; undefined when the two do not fit. */
export const findValueKind = (field: ConditionField, operator: Operator): ValueKind | undefined =>
  findOperatorChoice(field, operator)?.value;
