import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { pruneApiTokens } from "./apiTokenQueries.ts";
import { apiTokenRoutes } from "./apiTokenRoutes.ts";
import { createEndingTokens } from "./endingTokens.ts";

/** The keys of programs that call the API. */
export const apiTokensFeature: CreateFeature = (context) => ({
  routes: [apiTokenRoutes(context)],
  jobs: [toPart("API tokens", createEndingTokens(context).start)],
  prune: { pruneApiTokens },
});
