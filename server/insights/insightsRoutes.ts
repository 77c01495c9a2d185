import type { FastifyInstance } from "fastify";
import { categories, categoryLabel } from "../../core/classification/category.ts";
import { getCategories, getInsights, postInsights } from "../../core/insights/insightsEndpoints.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import type { UserInsights } from "./userInsights.ts";

/** The calls of the insights tab (IN7). */
export const insightsRoutes =
  ({ insights, door }: { readonly insights: UserInsights; readonly door: Door }) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, door, getInsights, ({ caller, params }) =>
      insights.read(caller.userId, params.maskId ?? null),
    );

    routeSignedIn(fastify, door, postInsights, ({ caller, body, keep }) =>
      insights.say(caller.userId, body, keep),
    );

    routeSignedIn(fastify, door, getCategories, async ({ caller }) => {
      const { categoryBreakdown } = await insights.read(caller.userId, null);
      return {
        categories: categories.map((id) => ({
          id,
          name: categoryLabel[id],
          count: categoryBreakdown[id] ?? 0,
        })),
      };
    });
  };
