import { choices, type Operator, type OperatorChoice, type ValueKind } from "./operator.ts";

type FieldKind = "text" | "address" | "category" | "time" | "date" | "measure" | "count";

interface KindChoices {
  /** What the editor offers (B3's table), in its order. */
  readonly offered: readonly OperatorChoice[];
  /** What is understood beside that. */
  readonly further: readonly OperatorChoice[];
}

const { equals, between } = choices;

const kinds: Readonly<Record<FieldKind, KindChoices>> = {
  text: {
    offered: [choices.contains, choices.notContains, equals("text"), choices.startsWith, choices.endsWith],
    further: [choices.matches, choices.inList, choices.notInList],
  },
  address: {
    offered: [equals("text"), choices.contains, choices.endsWithDomain],
    further: [choices.notContains, choices.startsWith, choices.matches, choices.inList, choices.notInList],
  },
  category: { offered: [equals("text"), choices.inList], further: [choices.notInList] },
  time: { offered: [choices.during], further: [] },
  date: { offered: [choices.after, choices.before], further: [between("dateRange")] },
  measure: { offered: [choices.moreThan, choices.lessThan], further: [between("numberRange")] },
  count: {
    offered: [equals("number"), choices.greaterThan, choices.lessThan],
    further: [between("numberRange")],
  },
};

interface FieldEntry {
  readonly kind: FieldKind;
  /** In the select. */
  readonly label: string;
  /** In a sentence: "If subject …". */
  readonly phrase: string;
  /** Behind the value, in the editor and in a sentence. */
  readonly unit?: string;
  /** The greatest number that means something. */
  readonly atMost?: number;
}

const share = { kind: "measure", unit: "%", atMost: 100 } as const;
const days = { kind: "measure", unit: "days" } as const;

const entries = {
  subject: { kind: "text", label: "Subject", phrase: "subject" },
  body: { kind: "text", label: "Body", phrase: "body" },
  text: { kind: "text", label: "Subject or body", phrase: "subject or body" },
  sender: { kind: "address", label: "Sender", phrase: "sender" },
  email: { kind: "address", label: "Sender's address", phrase: "sender's address" },
  category: { kind: "category", label: "Category", phrase: "category" },
  time: { kind: "time", label: "Time of arrival", phrase: "time of arrival" },
  date: { kind: "date", label: "Date of arrival", phrase: "date of arrival" },
  lastActivity: { ...days, label: "Last activity", phrase: "time since the last mail" },
  days: { ...days, label: "Days since the last mail", phrase: "time since the mask's last mail" },
  openRate: { ...share, label: "Open rate", phrase: "share of mail forwarded" },
  percentage: { ...share, label: "Percentage forwarded", phrase: "percentage of mail forwarded" },
  emailCount: { kind: "count", label: "Mails this month", phrase: "mails this month" },
  number: { kind: "count", label: "Number of mails this month", phrase: "number of mails this month" },
} as const satisfies Readonly<Record<string, FieldEntry>>;

/** What of a mail, or of its mask, a condition looks at (D31). */
export type ConditionField = keyof typeof entries;

/** Every field, in the editor's order. */
export const conditionFields = Object.keys(entries) as readonly ConditionField[];

export const isConditionField = (u: unknown): u is ConditionField =>
  typeof u === "string" && Object.hasOwn(entries, u);

/** How the editor and sentences speak of a field, and the limit of its numbers. */
export const fieldEntry = (field: ConditionField): FieldEntry => entries[field];

/** The operators the editor offers for a field, in B3's order. */
export const offeredOperators = (field: ConditionField): readonly OperatorChoice[] =>
  kinds[entries[field].kind].offered;

/** Those it accepts beside them: written by other clients, by suggestions, or by somebody who asks for more. */
export const furtherOperators = (field: ConditionField): readonly OperatorChoice[] =>
  kinds[entries[field].kind].further;

/** How an operator stands with a field; undefined when the two do not go together. */
export const operatorChoice = (field: ConditionField, operator: Operator): OperatorChoice | undefined => {
  const fits = (one: OperatorChoice): boolean => one.operator === operator;
  return offeredOperators(field).find(fits) ?? furtherOperators(field).find(fits);
};

/** What a condition of this field and operator compares with; undefined when the two do not go together. */
export const valueKindOf = (field: ConditionField, operator: Operator): ValueKind | undefined =>
  operatorChoice(field, operator)?.value;
