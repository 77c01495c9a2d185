import type { CreateFeature } from "../../context/feature.ts";
import { accountRuleRoutes } from "./accountRuleRoutes.ts";
import { createAccountRulesFeature } from "./accountRules.ts";

/** The rules for all masks of a user; those of one mask are saved with it. */
export const rulesFeature: CreateFeature = (context) => ({
  routes: [accountRuleRoutes({ deps: context, authGuard: context.authGuard })],
  socket: [createAccountRulesFeature(context.database)],
});
