import type { App } from "../../core/app/createApp.ts";
import type { PartOf } from "../react/useLatePart.ts";

/** The rules feature with its sync, as it is after loading. */
export type RulesPart = PartOf<App["rules"]>;
export type MaskRules = RulesPart["rules"];
export type RulesView = MaskRules["view$"]["value"];
export type ShownRule = RulesView["rules"][number];
