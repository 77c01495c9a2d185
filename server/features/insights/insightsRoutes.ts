import type { FastifyInstance } from "fastify";
import { categories, categoryLabel } from "../../../core/insights/classification/category.ts";
import {
  getCategories,
  getInsights,
  getSenderHabits,
  postInsights,
} from "../../../core/insights/insightsEndpoints.ts";
import { getMaskStatistics } from "../../../core/masks/maskEndpoints.ts";
import { type AuthGuard, routePreparedWrite, routeSignedIn } from "../../platform/http/route.ts";
import type { UserInsights } from "./userInsights.ts";

/** Registers the endpoints of insights (IN7). */
export const insightsRoutes =
  ({ insights, authGuard }: { readonly insights: UserInsights; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authGuard, getInsights, ({ auth, params }) =>
      insights.getInsights(auth.userId, params.maskId ?? null),
    );

    routeSignedIn(fastify, authGuard, getMaskStatistics, ({ auth, params }) =>
      insights.getMaskStatistics(auth.userId, params.id),
    );

    routePreparedWrite(fastify, authGuard, postInsights, ({ auth, body }) =>
      insights.updateSuggestion(auth.userId, body),
    );

    routeSignedIn(fastify, authGuard, getSenderHabits, ({ auth, params }) =>
      insights.getSenderHabits(auth.userId, params),
    );

    routeSignedIn(fastify, authGuard, getCategories, async ({ auth }) => {
      const { categoryBreakdown } = await insights.getInsights(auth.userId, null);
      return {
        categories: categories.map((id) => ({
          id,
          name: categoryLabel[id],
          count: categoryBreakdown[id] ?? 0,
        })),
      };
    });
  };
