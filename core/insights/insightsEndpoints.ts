import * as t from "io-ts";
import { endpoint } from "../contract/endpoint.ts";
import { InsightsAnswer } from "./insightsAnswer.ts";
import { SuggestionStatus } from "./suggestion.ts";

/** The figures of all masks, or with `maskId` of one; 404 when the caller has no such mask. */
export const getInsights = endpoint("GET", "/ai/insights", {
  params: t.partial({ maskId: t.string }),
  answer: InsightsAnswer,
});

/** Says what became of a suggestion. The category "All" names none. */
export const postInsights = endpoint("POST", "/ai/insights", {
  body: t.intersection([
    t.type({ actionKey: t.string, status: SuggestionStatus }),
    t.partial({ category: t.string }),
  ]),
  answer: t.partial({ message: t.string }),
});

/** The categories there are, each with the mails counted under it. */
export const getCategories = endpoint("GET", "/ai/categories", {
  answer: t.type({
    categories: t.array(t.type({ id: t.string, name: t.string, count: t.number })),
  }),
});
