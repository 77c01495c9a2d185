import type { CreateFeature } from "../../context/feature.ts";
import { pruneUnsubscribings } from "./unsubscribings.ts";

/** The links that leave mailing lists; the relay serves their pages, because some leave by a mail. */
export const unsubscribeFeature: CreateFeature = () => ({ prune: { pruneUnsubscribings } });
