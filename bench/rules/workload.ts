import { maxTextLength, type ParsedMail } from "../../core/mail/parsedMail.ts";
import type { Facts } from "../../core/rules/engine/facts.ts";
import type { Condition } from "../../core/rules/model/condition.ts";
import type { Rule } from "../../core/rules/model/rule.ts";

const now = Date.UTC(2026, 10, 20, 9, 0);

const mask: Facts["mask"] = {
  maskEmail: "shop@masks.example",
  labels: [],
  forwardTo: "ada@example.org",
  lastMailAt: now - 3_600_000,
  receivedThisMonth: 12,
  received: 120,
  forwarded: 110,
};

export const facts: Facts = {
  mask,
  account: { confirmed: ["ada@example.org"], ownDomains: ["masks.example"] },
  category: null,
  size: 2_048,
  proof: null,
  now,
};

/** The part of a mail that the rules use. */
export type Kind = "header" | "text" | "pattern";

const conditions: Readonly<Record<Kind, (n: number) => readonly Condition[]>> = {
  header: (n) => [
    { field: "subject", operator: "contains", value: [`offer ${n}`, `sale ${n}`] },
    { field: "sender", operator: "ends_with", value: `shop${n}.example.net` },
  ],
  text: (n) => [{ field: "body", operator: "contains", value: [`voucher ${n} expires`] }],
  pattern: (n) => [{ field: "body", operator: "matches_regex", value: `invoice\\s+no\\.?\\s*${n}\\d{4}` }],
};

/** Returns rules of which none applies, so that all are evaluated. */
export const rulesOf = (kind: Kind, count: number): readonly Rule[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `rule_${now}_${n}`,
    name: `Rule ${n}`,
    type: "content_filter",
    enabled: true,
    conditions: conditions[kind](n),
    actions: [{ type: "tag", params: { tag: `Tag ${n}` } }],
  }));

const words = "The quick brown fox jumps over the lazy dog while Ada reads her mail. ";

/** Returns the same mail as SMTP content. */
export const mailFileOf = (characters: number): string => {
  const { from, subject, text } = mailOf(characters);
  const lines = (text ?? "").replace(/.{1,900} /g, (line) => `${line.trimEnd()}\r\n`);
  return `From: ${from?.name} <${from?.address}>\r\nSubject: ${subject}\r\n\r\n${lines}\r\n`;
};

/** Returns a mail whose text has this many characters, at most as many as rules read. */
export const mailOf = (characters: number): ParsedMail => ({
  from: { name: "Example Store", address: "orders@store.example.org" },
  to: [mask.maskEmail],
  subject: "Your order 12345 is on its way and arrives on Tuesday",
  headers: [{ name: "message-id", value: "<1@store.example.org>" }],
  text: words.repeat(Math.ceil(characters / words.length)).slice(0, Math.min(characters, maxTextLength)),
  htmlText: null,
  isTextCut: false,
  attachments: [],
});
