import type { App } from "../../core/app.ts";
import type { PartOf } from "../binding/useLatePart.ts";

/** Rules and their sync, once their code is here. */
export type RulesPart = PartOf<App["rules"]>;
export type MaskRules = RulesPart["rules"];
export type RulesView = MaskRules["view$"]["value"];
export type ShownRule = RulesView["rules"][number];
