import type { CompilePattern } from "../../core/ports/patterns.ts";
import { type PreparedRules, prepare } from "../../core/relay/prepare.ts";
import { readRules } from "../../core/rules/ruleList.ts";

/** As a list without rules is stored. */
export const noRules = "[]";

/** Rules made ready, by the text they are stored as. */
export type RuleBook = (stored: string) => PreparedRules;

/** As many masks as get mail at about the same time. */
const remembered = 500;

/** Makes rules ready once, however many mails are asked about them; the lists used last are remembered. */
export const makeRuleBook = (compile?: CompilePattern): RuleBook => {
  const known = new Map<string, PreparedRules>();
  return (stored) => {
    const prepared = known.get(stored) ?? prepare(readRules(JSON.parse(stored) as unknown[]).rules, compile);
    known.delete(stored);
    known.set(stored, prepared);
    const [oldest] = known.keys();
    if (known.size > remembered && oldest !== undefined) known.delete(oldest);
    return prepared;
  };
};
