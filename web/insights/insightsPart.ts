import type { App } from "../../core/app.ts";
import type { PartOf } from "../binding/useLatePart.ts";

/** Insights, once their code is here. */
export type Insights = PartOf<App["insights"]>;
export type InsightsView = Insights["view$"]["value"];
export type Figures = InsightsView["figures"];
export type ShownSuggestion = InsightsView["suggestions"][number];
