import type { CreateFeature } from "../../context/feature.ts";
import { pruneReports } from "./reportQueries.ts";

/** What servers of receivers report; the relay takes the reports, the operator's page shows them. */
export const receiverReportsFeature: CreateFeature = () => ({
  prune: { pruneReceiverReports: pruneReports },
});
