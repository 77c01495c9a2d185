/** The migrations of the last version before 0.3.0, which together make the tables of the initial one. */
const lastNames: readonly string[] = [
  "0001_initial",
  "0002_eventsByUser",
  "0003_actionLinks",
  "0004_keyOffer",
  "0005_apiTokens",
  "0006_webhooks",
  "0007_madeFor",
  "0008_identities",
  "0009_unsubscribe",
  "0010_notificationPlace",
  "0011_signInWays",
  "0012_mailingLists",
  "0013_passkeys",
  "0014_recentProof",
  "0015_keyBackups",
  "0016_dailyDigest",
  "0017_receivers",
  "0018_destinationKeys",
  "0019_keptInApp",
  "0020_tasksAndPartitions",
  "0021_installation",
  "0022_sharedRates",
  "0023_removedAddresses",
  "0025_fairShares",
  "0026_keptBytes",
  "0027_calendarsThroughMask",
  "0029_shownDescriptions",
  "0031_maskTags",
];

/** Returns whether the migrations of a database are all those of the last version before 0.3.0, and no others. */
export const isOfLastBeforeInitial = (names: readonly string[]): boolean =>
  names.length === lastNames.length && lastNames.every((name) => names.includes(name));
