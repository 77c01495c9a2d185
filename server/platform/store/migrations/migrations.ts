import type { Migration } from "kysely/migration";
import type { Engine } from "../engine.ts";
import { eventsByUser } from "./0002_eventsByUser.ts";
import { actionLinks } from "./0003_actionLinks.ts";
import { keyOffer } from "./0004_keyOffer.ts";
import { apiTokens } from "./0005_apiTokens.ts";
import { webhooks } from "./0006_webhooks.ts";
import { madeFor } from "./0007_madeFor.ts";
import { identities } from "./0008_identities.ts";
import { unsubscribe } from "./0009_unsubscribe.ts";
import { notificationPlace } from "./0010_notificationPlace.ts";
import { signInWays } from "./0011_signInWays.ts";
import { mailingLists } from "./0012_mailingLists.ts";
import { passkeys } from "./0013_passkeys.ts";
import { recentProof } from "./0014_recentProof.ts";
import { keyBackups } from "./0015_keyBackups.ts";
import { dailyDigest } from "./0016_dailyDigest.ts";
import { receivers } from "./0017_receivers.ts";
import { destinationKeys } from "./0018_destinationKeys.ts";
import { keptInApp } from "./0019_keptInApp.ts";
import { tasksAndPartitions } from "./0020_tasksAndPartitions.ts";
import { installation } from "./0021_installation.ts";
import { sharedRates } from "./0022_sharedRates.ts";
import { removedAddresses } from "./0023_removedAddresses.ts";
import { fairShares } from "./0025_fairShares.ts";
import { keptBytes } from "./0026_keptBytes.ts";
import { calendarsThroughMask } from "./0027_calendarsThroughMask.ts";
import { shownDescriptions } from "./0029_shownDescriptions.ts";
import { maskTags } from "./0031_maskTags.ts";
import { initial } from "./initial/initial.ts";

/** The migration that creates a new database. */
export const initialName = "0001_initial";

/**
 * All migrations by name: a number of four digits and what it changes, "0002_maskIcons". They run in the order of their
 * numbers. A released one never changes; what is to change is a new one.
 */
export const allMigrations = (engine: Engine): Readonly<Record<string, Migration>> => ({
  [initialName]: initial(engine),
  "0002_eventsByUser": eventsByUser,
  "0003_actionLinks": actionLinks,
  "0004_keyOffer": keyOffer,
  "0005_apiTokens": apiTokens,
  "0006_webhooks": webhooks(engine),
  "0007_madeFor": madeFor(engine),
  "0008_identities": identities,
  "0009_unsubscribe": unsubscribe,
  "0010_notificationPlace": notificationPlace,
  "0011_signInWays": signInWays,
  "0012_mailingLists": mailingLists,
  "0013_passkeys": passkeys,
  "0014_recentProof": recentProof,
  "0015_keyBackups": keyBackups,
  "0016_dailyDigest": dailyDigest,
  "0017_receivers": receivers,
  "0018_destinationKeys": destinationKeys,
  "0019_keptInApp": keptInApp,
  "0020_tasksAndPartitions": tasksAndPartitions(engine),
  "0021_installation": installation,
  "0022_sharedRates": sharedRates(engine),
  "0023_removedAddresses": removedAddresses,
  "0025_fairShares": fairShares,
  "0026_keptBytes": keptBytes,
  "0027_calendarsThroughMask": calendarsThroughMask,
  "0029_shownDescriptions": shownDescriptions,
  "0031_maskTags": maskTags,
});
