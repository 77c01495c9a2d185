import { readFileSync } from "node:fs";
import { isRight } from "fp-ts/lib/Either.js";
import { createTemplateRules, findTemplate } from "../../../../core/rules/editing/ruleTemplates.ts";
import type { Decision } from "../../../../core/rules/engine/decision.ts";
import { Rule } from "../../../../core/rules/model/rule.ts";

/** The addresses that replace the placeholders in mails and rules, wherever the cases are run. */
export interface Places {
  readonly mask: string;
  /** The destination of the mask. */
  readonly owner: string;
  /** Another confirmed destination of its owner. */
  readonly second: string;
  readonly maskDomain: string;
}

/** Facts about the mask; times in ISO 8601. */
export interface CaseFacts {
  readonly lastMailAt?: string | null;
  readonly receivedThisMonth?: number;
  readonly received?: number;
  readonly forwarded?: number;
}

/** The parts of a decision that every way of running a case can compare. */
export interface Expected {
  readonly block: "silent" | "refuse" | null;
  readonly destinations: readonly string[];
  readonly digest: readonly string[];
  readonly tags: readonly string[];
  readonly subject: string | null;
  readonly removeTrackers: boolean;
  readonly notify: readonly string[];
  readonly autoReply: { readonly subject: string; readonly message: string } | null;
  readonly archive: { readonly markAsRead: boolean } | null;
  /** The ids of the rules that are applied. */
  readonly applied: readonly string[];
}

export interface RuleCase {
  readonly name: string;
  /** The raw mail. */
  readonly mail: string;
  readonly rules: readonly Rule[];
  readonly expected: Expected;
  readonly category: string | null;
  /** The time of arrival in ISO 8601; null when it makes no difference. */
  readonly now: string | null;
  readonly facts: CaseFacts | null;
}

interface WrittenCase {
  readonly name: string;
  readonly mail: string;
  readonly rules: readonly Readonly<Record<string, unknown>>[];
  readonly expect: Partial<Expected>;
  readonly category?: string;
  readonly now?: string;
  readonly facts?: CaseFacts;
  readonly template?: string;
}

interface Written {
  readonly mails: Readonly<Record<string, string>>;
  readonly cases: readonly WrittenCase[];
}

const fillerOf = (length: number): string =>
  "The quick brown fox jumps.\r\n".repeat(length / 28 + 1).slice(0, length);

const filled = <A>(value: A, places: Places): A =>
  JSON.parse(
    JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (whole, name: keyof Places) => places[name] ?? whole),
  ) as A;

const readRule = (written: Readonly<Record<string, unknown>>, n: number): Rule => {
  const id = `r${n + 1}`;
  const decoded = Rule.decode({ id, name: `Rule ${n + 1}`, type: "content_filter", ...written });
  if (isRight(decoded)) return decoded.right;
  throw new Error(`${JSON.stringify(written)}: ${decoded.left.map(({ message }) => message).join(", ")}`);
};

const templateRules = (id: string): readonly Rule[] => {
  const template = findTemplate(id);
  if (!template) throw new Error(`there is no template ${id}`);
  return createTemplateRules(template, "mask", 0, new Set()).map((rule, n) => ({ ...rule, id: `t${n + 1}` }));
};

/** The cases of ruleCases.json with these addresses. */
export const ruleCases = (places: Places): readonly RuleCase[] => {
  const file = new URL("../../../data/ruleCases.json", import.meta.url);
  const { mails, cases } = JSON.parse(readFileSync(file, "utf8")) as Written;
  const nothing: Expected = {
    block: null,
    destinations: [places.owner],
    digest: [],
    tags: [],
    subject: null,
    removeTrackers: false,
    notify: [],
    autoReply: null,
    archive: null,
    applied: [],
  };
  return cases.map(({ name, mail, rules, expect, category, now, facts, template }) => ({
    name,
    mail: filled(mails[mail] ?? "", places).replace(/\{\{filler:(\d+)\}\}/, (_, length) =>
      fillerOf(Number(length)),
    ),
    rules: [
      ...(template === undefined ? [] : templateRules(template)),
      ...filled(rules, places).map(readRule),
    ],
    expected: { ...nothing, ...filled(expect, places) },
    category: category ?? null,
    now: now ?? null,
    facts: facts ?? null,
  }));
};

/** The comparable parts of a decision. */
export const comparable = (decision: Decision): Expected => {
  const { block, destinations, digest, tags, subject, removeTrackers, notify, autoReply, archive } = decision;
  return {
    block: block?.how ?? null,
    destinations,
    digest,
    tags,
    subject,
    removeTrackers,
    notify: notify.map(({ message }) => message),
    autoReply: autoReply && { subject: autoReply.subject, message: autoReply.message },
    archive,
    applied: decision.applied.map(({ id }) => id),
  };
};
