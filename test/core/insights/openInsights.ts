import type { Insights } from "../../../core/insights/insights.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { createFigures } from "../../fakes/productInsights.ts";
import { createMask } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

export interface InsightsOnFakes extends AppOnFakes {
  readonly insights: Insights;
  /** How often figures were asked for. */
  readonly asked: () => number;
  readonly toasts: () => readonly string[];
}

/** The app with its insights here, and figures of two masks on the server; nobody looks at them yet. */
export const startInsights = async (options: AppOnFakesOptions = {}): Promise<InsightsOnFakes> => {
  const fakes = await startApp({ masks: [createMask("a"), createMask("b")], ...options });
  if (options.product === undefined) fakes.product.insights.setFigures(createFigures());
  fakes.app.insights.want();
  await settled();
  const late = fakes.app.insights.state$.value;
  if (late.kind !== "here") throw new Error(`the part is ${late.kind}`);
  return {
    ...fakes,
    insights: late.part,
    asked: () => fakes.server.seen("GET /ai/insights").length,
    toasts: () => fakes.app.toasts.list$.value.map(({ text }) => text),
  };
};
