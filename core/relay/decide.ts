import type { CompilePattern } from "../ports/patterns.ts";
import type { Rule } from "../rules/rule.ts";
import type { ExplainedDecision } from "./explanation.ts";
import type { AccountFacts, MaskFacts } from "./facts.ts";
import type { Message } from "./message.ts";
import { prepare } from "./prepare.ts";

/**
 * What a mask's rules make of a mail that arrives `now` (milliseconds since 1970), with the reasons (D30–D32). Total:
 * it answers for every mail and every list. The relay obeys what the test panel shows, since both ask here; whoever
 * asks of many mails calls `prepare` once.
 */
export const decide = (
  message: Message,
  mask: MaskFacts,
  rules: readonly Rule[],
  account: AccountFacts,
  now: number,
  compile?: CompilePattern,
): ExplainedDecision => prepare(rules, compile).explain({ message, mask, account }, now);
