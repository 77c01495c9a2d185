import type { CreateFeature } from "../../context/feature.ts";
import { confirmationRoutes } from "./confirmationRoutes.ts";
import { createConfirmedAddresses } from "./confirmedAddresses.ts";
import { destinationKeyRoutes } from "./destinationKeyRoutes.ts";
import { destinationRoutes } from "./destinationRoutes.ts";

/** The addresses that masks forward to. */
export const destinationsFeature: CreateFeature = (context) => ({
  mail: { facts: [createConfirmedAddresses(context.database)] },
  routes: [
    destinationRoutes({ deps: context, authGuard: context.authGuard }),
    destinationKeyRoutes(context),
    confirmationRoutes(context),
  ],
});
