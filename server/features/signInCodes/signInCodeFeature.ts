import type { CreateFeature } from "../../context/feature.ts";
import { pruneCodeCounts } from "./codeCountQueries.ts";
import { pruneLoginCodes, pruneSignUpTickets } from "./signInQueries.ts";

/** The one-time codes that are sent by mail, and how many wrong ones were tried. */
export const signInCodesFeature: CreateFeature = () => ({
  prune: { pruneLoginCodes, pruneCodeCounts, pruneSignUpTickets },
});
