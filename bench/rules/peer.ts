import type { ParsedMail } from "../../core/mail/parsedMail.ts";
import { normalizeText } from "../../core/rules/engine/facts.ts";
import { leavesOf } from "../../core/rules/model/conditionGroup.ts";
import type { Rule } from "../../core/rules/model/rule.ts";

interface Engine {
  readonly addOperator: (name: string, test: (fact: string, value: readonly string[]) => boolean) => void;
  readonly addRule: (rule: unknown) => void;
  readonly run: (
    facts: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly events: readonly unknown[] }>;
}

/** Evaluates the rules of another engine for one mail. */
export type Peer = (message: ParsedMail) => Promise<number>;

/** Prepares json-rules-engine with the same rules; null where it is not installed. */
export const createPeer = async (): Promise<((rules: readonly Rule[]) => Peer) | null> => {
  const name = "json-rules-engine";
  const found = (await import(name).catch(() => null)) as { readonly Engine: new () => Engine } | null;
  if (found === null) return null;
  return (rules) => {
    const engine = new found.Engine();
    engine.addOperator("contains_any", (fact, entries) => entries.some((entry) => fact.includes(entry)));
    engine.addOperator("ends_with_any", (fact, entries) => entries.some((entry) => fact.endsWith(entry)));
    for (const { id, conditions } of rules)
      engine.addRule({
        event: { type: id },
        conditions: {
          all: leavesOf(conditions).map(({ field, operator, value }) => ({
            fact: field,
            operator: operator === "ends_with" ? "ends_with_any" : "contains_any",
            value: [value].flat().map((entry) => normalizeText(String(entry))),
          })),
        },
      });
    return async ({ subject, from, text }) => {
      const facts = {
        subject: normalizeText(subject),
        sender: normalizeText(from?.address ?? ""),
        body: normalizeText(text ?? ""),
      };
      return (await engine.run(facts)).events.length;
    };
  };
};
