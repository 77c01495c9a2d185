import { loadRe2Patterns } from "../../../adapters/re2/re2Patterns.ts";
import type { Decision } from "../../../core/rules/engine/decision.ts";
import { evaluate } from "../../../core/rules/engine/evaluate.ts";
import { handleTasks } from "../../platform/workers/workerThread.ts";
import type { EvaluationTask } from "./evaluate.ts";
import { replaceBlob } from "./joinedBlob.ts";
import { parseReducedMail } from "./parseMail.ts";
import { createRuleCache } from "./ruleCache.ts";

const ruleCache = loadRe2Patterns().then(createRuleCache);

replaceBlob();

handleTasks(async ({ mail, inputs }: EvaluationTask): Promise<readonly Decision[]> => {
  const prepareRules = await ruleCache;
  const parsedMail = await parseReducedMail(mail);
  return inputs.map(({ rules, facts }) => evaluate(prepareRules(rules), parsedMail, facts).decision);
});
