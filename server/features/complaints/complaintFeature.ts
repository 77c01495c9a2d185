import type { CreateFeature } from "../../context/feature.ts";
import { pruneComplaints } from "./complaintQueries.ts";

/** What users call spam at their mail providers; the relay takes the reports. */
export const complaintsFeature: CreateFeature = () => ({ prune: { pruneComplaints } });
