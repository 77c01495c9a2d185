import { createInsights, type Insights } from "../../../core/insights/insights.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { createFigures } from "../../fakes/productInsights.ts";
import { createMask } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

export interface InsightsOnFakes extends AppOnFakes {
  readonly insights: Insights;
  /** How often figures were requested. */
  readonly requestCount: () => number;
  readonly toasts: () => readonly string[];
}

/** The app with its insights not yet opened, and figures of two masks on the server. */
export const startInsights = async (options: AppOnFakesOptions = {}): Promise<InsightsOnFakes> => {
  const fakes = await startApp({ masks: [createMask("a"), createMask("b")], ...options });
  if (options.product === undefined) fakes.product.insights.setFigures(createFigures());
  const insights = fakes.signedIn().feature(createInsights);
  await settled();
  return {
    ...fakes,
    insights,
    requestCount: () => fakes.server.requestsTo("GET /ai/insights").length,
    toasts: () => fakes.app.toasts.list$.value.map(({ text }) => text),
  };
};
