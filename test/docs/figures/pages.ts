/** What a page says in numbers. */
export interface PageFigures {
  /** Phrases with the constants that their numbers are (`constants.ts`); the page has each. */
  readonly facts?: readonly string[];
  /** Numbers that depend on nothing, or on something that another test compares. */
  readonly free?: readonly RegExp[];
  /** Sections that another test compares, or whose numbers were measured, by their headings. */
  readonly elsewhere?: readonly string[];
  /** A record of what was decided, released, judged or specified at its time. */
  readonly isRecord?: boolean;
}

const outgoingMessages = "server/platform/outgoing/messages";
const nextAttempt = `${outgoingMessages}/nextAttempt`;
const webhookLimits = "server/features/webhooks/webhookLimits";
const webhooks = "core/webhooks/webhookEndpoints";
const codeLimits = "core/codes/codeEndpoints codeLimits";
const lastMails = "core/lastMails/lastMailEndpoints";
const held = "core/held/heldMail heldDays";
const trash = "core/trash/trashEndpoints trashDays";
const lifetimes = "server/features/session/lifetimes";
const codes = "server/features/signInCodes/codeLimits";
const oneTimeCode = "core/session/oneTimeCode";
const smtp = "server/smtp/smtpLimits";
const leaves = "server/mime/mimeLeaves";
const calendars = "server/relay/calendars";
const reverseAddresses = "server/features/correspondents/reverseAddresses";
const unanswered = "server/features/correspondents/unansweredAddresses maxUnansweredOfMask";
const unsent = "server/features/held/unsentReplyQueries unsentLimits";
const retry = "core/mail/retrySchedule";
const providers = "server/delivery/direct/providerLimits";
const domainLimits = "server/delivery/direct/domainLimits";
const http = "server/platform/http/httpLimits limits";
const perMinute = "server/platform/http/httpLimits perMinute";
const signsOfLife = "server/platform/store/signsOfLife";
const rates = "server/platform/rates";
const outgoing = "server/platform/outgoing/publicHttpClient";
const testMail = "server/features/operator/testMail";
const domain = "core/domains/domain";
const checkDomain = "server/features/domains/checkDomain";
const reports = "server/features/reports";
const spam = "server/relay/evaluate";
const correspondents = "server/features/replies/rewrite/forwardedFields maxCorrespondents";
const unknown = "server/relay/limits/unknownRecipients";

/** The pages with numbers, each with where they come from. */
export const pages: Readonly<Record<string, PageFigures>> = {
  "README.md": { free: [/in \d+ steps/g] },
  "ARCHITECTURE.md": {
    facts: [
      "page of {core/masks/maskListSettings pageSizes.0 word} cards",
      "within {core/session/recentProof recentProofMs minWord} minutes",
    ],
    free: [/take 7 bits/g],
  },
  "CONTRIBUTING.md": {
    free: [
      /for 10 minutes, a third/g,
      /at most 72 characters/g,
      /409 beyond 20/g,
      /Has four generators/g,
      /at four widths/g,
      /of four digits/g,
    ],
  },
  "CHANGELOG.md": { isRecord: true },
  "docs/specification.md": { isRecord: true },
  "docs/decisions/account-and-privacy.md": { isRecord: true },
  "docs/decisions/app.md": { isRecord: true },
  "docs/decisions/libraries.md": { isRecord: true },
  "docs/decisions/product.md": { isRecord: true },
  "docs/decisions/rules-and-mail.md": { isRecord: true },
  "docs/api.md": {
    facts: [
      "for {server/platform/store/idempotencyQueries answerLifetimeMs h} hours a repetition",
      "up to {server/platform/http/idempotency maxIdLength} visible",
    ],
    free: [/status of 400 or above/g],
  },
  "docs/billing.md": { free: [/\$[\d.]+/g, /some of the six variables/g] },
  "docs/command-line.md": {
    facts: [
      `trash for {${trash}} days`,
      "| {cli/exits exits.done} | Done | | {cli/exits exits.failed} | The command",
      "| {cli/exits exits.usage} | It was called wrongly",
      "| {cli/exits exits.notLoggedIn} | Nobody",
      "| {cli/exits exits.notFound} | There is no such",
      "| {cli/exits exits.noNetwork} | The server could",
      "| {cli/exits exits.notAllowed} | The server does not",
      "| {cli/exits exits.interrupted}, {cli/exits exits.pipeClosed} | Ended",
      "More than {core/session/recentProof recentProofMs minWord} minutes after",
    ],
  },
  "docs/domains.md": {
    facts: [
      `at most every {${checkDomain} sharedForMs s} seconds`,
      `every {${checkDomain} firstIntervalMs min} minutes on the first day`,
      `every {${checkDomain} laterIntervalMs h} hours for {${checkDomain} waitsForMs d} days`,
      `less than {${domain} lapseDays} days ago`,
      `trash for {${trash}} days`,
      `at most {${domain} maxMadePerDay} a day, {server/features/domains/domainFeature madePerDayOfNetwork} of them`,
      "names it for {server/features/operator/removedNameCheck shownForMs d} days",
      "({SUBDOMAINS} by default",
      `of {${domain} minSubdomainLength} to {${domain} maxSubdomainLength} letters`,
    ],
    free: [/RSA-2048/g, /0 for none/g, /refused \(`?400/g],
  },
  "docs/events.md": {
    facts: [
      "more than {server/platform/events/userEvents maxMissed}",
      "every {server/platform/events/eventStream heartbeatMs s} seconds",
      "may have {core/realtime/eventStream maxStreamsPerToken} streams open and an account {core/realtime/eventStream maxStreamsPerUser}",
    ],
  },
  "docs/glossary.md": {
    facts: [
      `kept for {${held}} days`,
      `rests for {${trash}} days`,
      "0 to {core/score/securiScore maximumPoints} for",
    ],
  },
  "docs/codes.md": {
    facts: [
      `finds for {${codeLimits}.minutes} minutes`,
      `at most {${codeLimits}.perMask} of them, an account {${codeLimits}.perAccount}`,
      "first {core/codes/readableMail readLimits.text} characters",
    ],
    free: [/at most 17 letters/g],
    elsewhere: ["How often it is right"],
  },
  "docs/inbound.md": {
    facts: [
      `come in within {${testMail} arrivesWithinMs min} minutes`,
      "larger than {server/features/inbound/inboundRoutes maxPostBytes MiB} MiB",
      `has {${smtp} maxMailBytes MiB} MiB at most`,
      `within {${http}.requestWithinMs s} seconds`,
      "forms {server/features/inbound/inboundRoutes maxWholeBytes MiB} MiB may arrive",
      "more than {server/features/inbound/inboundRoutes maxWholeBytes MiB} MiB",
    ],
    free: [
      /\| \d{3}[^|]*\|/g,
      /again for \d+ hours/g,
      /about 15 MiB/g,
      /429 and 503 say when/g,
      /more than 150 KB/g,
    ],
  },
  "docs/mailbox.md": {
    facts: [
      `come in within {${testMail} arrivesWithinMs min} minutes`,
      "may take {server/features/mailbox/imapMailbox tokenWithinMs s} seconds",
      `larger than {${smtp} maxMailBytes MiB} MiB`,
      "again after {server/features/mailbox/fetchMailbox firstRetryMs min} minutes, then after twice as long, up to {server/features/mailbox/fetchMailbox longestRetryMs h} hours",
      "after {server/features/mailbox/mailboxJob firstPauseMs s} seconds at first and {server/features/mailbox/mailboxJob longestPauseMs min} minutes at most; after a refused login after {server/features/mailbox/mailboxJob pauseAfterRefusalMs min} minutes",
    ],
    free: [/of these four/g, /100 mails a second from a mailbox with 100,000, with less than 0\.5 GB/g],
  },
  "docs/insights.md": {
    facts: [
      "{core/tiers/tier limitsOf.free.history} (Free), {core/tiers/tier limitsOf.basic.history} (Basic), {core/tiers/tier limitsOf.pro.history} (Pro), {core/tiers/tier limitsOf.pro_premium.history} (Premium)",
      "after {server/features/insights/retention graceMs d} days",
      "up to {server/features/insights/sampleSenders samplesPerDay word} mails a day",
      "first {core/breaches/breachCheck sentHashDigits word} of forty",
      "newest {server/features/insights/recentMailQueries recentMailLimit word} forwarded and {server/features/insights/recentMailQueries recentMailLimit word} blocked",
    ],
    free: [/of six signals/g, /of forty digits/g],
  },
  "docs/integrations.md": {
    facts: [`trash for {${trash}} days`, "more than {core/masks/mask maxDescriptionLength} characters"],
    free: [/takes 40 to 60 letters/g],
  },
  "docs/logs.md": { facts: ["up to {adapters/otel/otlpClient maxQueued} spans"] },
  "docs/monitoring.md": {
    facts: [
      "within {server/platform/metrics/readMetrics refreshWithinMs s} seconds",
      "failed in the last {server/delivery/delivery finishedDays} days",
      `at least {${codes} wrongCodeLimits.notifiedAfter word} of them`,
      "{server/platform/metrics/processMetrics lagPrecisionMs s} seconds when idle",
    ],
    free: [
      /begin at 0/g,
      /\| 200 means/g,
      /\| 1; the versions/g,
      /more than 4 hours/g,
      /one in a hundred/g,
      /5xx/g,
      /more than 10 seconds/g,
      /within 14 days/g,
    ],
  },
  "docs/replies.md": {
    facts: [
      `at most {${reverseAddresses} maxOfMask} correspondents`,
      `kept for {${held}} days`,
      `up to {${unsent}.replies} replies and {${unsent}.bytes MiB} MB of an account, each up to {${unsent}.bytesOfOne MiB} MB`,
      "{core/tiers/tier defaultRepliesPerDay.free} with Free, {core/tiers/tier defaultRepliesPerDay.basic} with Basic, {core/tiers/tier defaultRepliesPerDay.pro} with Pro, {core/tiers/tier defaultRepliesPerDay.business} above",
      "more than {server/features/replies/rewrite/replyParts maxParts} parts, parts nested deeper than {server/features/replies/rewrite/replyParts maxDepth},",
      "at least {server/features/correspondents/replyPauses minFailures} correspondents",
      "paused for {server/features/correspondents/replyPauses pauseMs h} hours",
      "{server/features/replies/rewrite/ownerTraces freeGrowth KiB} KiB longer",
      "more than {server/features/replies/rewrite/replyWriter replyThreads.timeLimitMs s} seconds",
      `named it for {${reverseAddresses} unusedLifetimeMs d} days`,
      `mask has {${reverseAddresses} maxOfMask} correspondents`,
      "{server/smtp/smtpLimits failedLogins.failures} in {server/smtp/smtpLimits failedLogins.withinMs min} minutes",
      `expires {${reverseAddresses} unusedLifetimeMs d} days after`,
      `mask has {${unanswered}} that were`,
      "local parts of {server/features/replies/rewrite/ownerTraces leastNameLength word} characters",
    ],
    free: [/in 23 languages/g, /UTF-7/g, /465 with TLS, or 587/g],
  },
  "docs/settings.md": {
    facts: ["queued mail above {server/delivery/queue/objectBodies maxRowBytes KiB} kB"],
    isRecord: true,
  },
  "docs/single-sign-on.md": {
    facts: [
      `after {${lifetimes} sessionLifetimeMs d} days without use`,
      "within {server/features/oidc/providerFetch answersWithinMs s} seconds",
      `more than {${lifetimes} signOnWithinMs min} minutes`,
      "differ by {server/features/oidc/provider clockToleranceS} seconds",
    ],
    free: [/Since 2025\.10/g, /5xx/g],
  },
  "docs/tokens.md": {
    facts: [
      "told {core/apiTokens/apiTokenEndpoints endNoticeDays} days before",
      "at most {core/apiTokens/apiTokenEndpoints maxApiTokens}.",
      `makes {${perMinute}.token} requests a minute`,
      "{server/features/apiTokens/tokenText secretLength} characters of RFC 4648",
      "and {server/features/apiTokens/tokenText checksumLength} characters of their CRC",
    ],
    free: [
      /after 30 days, 90 days,? (?:or )?a year/g,
      /205 random bits/g,
      /CRC-32/g,
      /have 32 characters and their 7/g,
    ],
  },
  "docs/webhooks.md": {
    facts: [
      `at most {${webhooks} maxWebhooks}.`,
      `at most {${webhookLimits} refusalsPerHour.most} an hour, {${webhookLimits} refusalsPerHour.ofNetwork} of them`,
      "(at most {core/webhooks/webhookEvent maxMessageText} characters",
      "mail above {server/features/webhooks/webhookContent maxParsedBytes KiB} KiB",
      `sign for {${webhooks} earlierSecretHours} hours`,
      `within {${outgoing} answerWithinMs s} seconds`,
      `after {${nextAttempt} delaysMs.0 s} seconds, {${nextAttempt} delaysMs.1 min}, {${nextAttempt} delaysMs.2 min} and {${nextAttempt} delaysMs.3 min} minutes, {${nextAttempt} delaysMs.4 h}, {${nextAttempt} delaysMs.5 h}, {${nextAttempt} delaysMs.6 h} and every {${nextAttempt} delaysMs.7 h} hours, up to {${webhooks} retriedForHours} hours`,
      `\`Retry-After\` up to {${nextAttempt} longestRetryAfterMs h} hours`,
      `delivered for {${webhooks} retriedForHours} hours`,
      `last {${webhooks} listedDeliveries} deliveries`,
      `sends {${webhookLimits} allPlaces.total} messages at a time, {${webhookLimits} allPlaces.user} of an account and {${webhookLimits} allPlaces.host} to a host`,
      `longer than {${outgoingMessages}/messagePlaces promptWithinMs s} seconds`,
      `share {${webhookLimits} unprovenPlaces.total} of these, {${webhookLimits} unprovenPlaces.user} of an account and {${webhookLimits} unprovenPlaces.host} to a host`,
    ],
    free: [/Any 2xx/g, /older than five minutes/g],
  },
  "docs/words.md": { free: [/"5 MB"/g, /"1 email"/g, /"3 mails"/g, /2FA/g] },
  "docs/guide/list.md": { facts: ["{core/masks/maskListSettings pageSizes.0 word} on a page"] },
  "docs/guide/log.md": {
    facts: [
      "({core/tiers/tier limitsOf.free.history} to without limit",
      "newest {core/mailLog/logEntry maxEntries} entries",
      "for {server/features/mailLog/pruneLog keptAfterChangeMs d} days at the least",
      "at most {server/delivery/mailLog/refusedEntries refusalsPerHour.most} entries an hour",
    ],
    free: [/Delayed 3 times/g],
  },
  "docs/guide/masks.md": {
    facts: [
      "at most {core/labels/label maxLabels} labels of at most {core/labels/label maxLabelLength} characters",
      "Up to {core/api/textCodecs maxFreeText} characters",
      "at most {core/senders/maskSenders maxListedSenders}, one a line",
      `rest for {${trash}} days`,
      "at most {core/masks/mask maxDestinations} addresses",
      `held for {${held}} days`,
      "up to {core/held/heldMail maxReadBytes MiB} MB",
      "warns {server/features/masks/expireMask warningMs d} days before",
      "of: {web/features/masks/form/FormatFields lengths.letters.0} to {core/masks/maskFormat letters.most} letters and digits ({core/masks/maskFormat usualFormat.length} at first), {core/masks/maskFormat words.least} or {core/masks/maskFormat words.most} English",
      "every {core/domains/checkRepeatedly recordCheckMs s} seconds",
      `after {${domain} lapseDays} days without`,
      `at most {${domain} maxMadePerDay} masks a day`,
      "up to {core/destinations/destinationEndpoints maxDestinationKeys word} keys",
    ],
    free: [
      /7, 30 or 365 days/g,
      /about 1 MB/g,
      /10 letters and digits have 48 random bits, 4 words have 44, a UUID has 122/g,
    ],
  },
  "docs/guide/extension.md": { facts: ["kept for {core/codes/codeEndpoints codeLimits.minutes} minutes"] },
  "docs/guide/moving.md": {
    facts: [
      `Up to {core/account/readImport maximumRows} masks are imported at once, {${perMinute}.masks} a minute`,
    ],
    free: [/to 300 seconds at your DNS/g],
  },
  "docs/guide/programs.md": {
    facts: [
      "and {core/apiTokens/apiTokenEndpoints endNoticeDays} days before one ends",
      `last {${webhooks} listedDeliveries} messages`,
      `delivered for {${webhooks} retriedForHours} hours`,
    ],
  },
  "docs/guide/rules.md": {
    facts: [
      `waits {${held}} days`,
      "at {server/features/digest/digest sendingHour} in the morning",
      "at most {core/rules/model/ruleList accountListLimits.maxRules} rules, {core/rules/model/ruleList accountListLimits.maxPatterns} of their",
      `mails for {${lastMails} lastMailLimits.hours} hours`,
      `at most {${lastMails} lastMailLimits.perMask} mails of a mask and {${lastMails} lastMailLimits.perAccount} of the account`,
      `first {${lastMails} lastMailLimits.bytes KiB} kB`,
      `After {${lastMails} lastMailLimits.hours} hours`,
    ],
  },
  "docs/forwarding.md": {
    facts: [
      "at most {server/features/replies/threadIds maxReferences} octets",
      "at most {server/mime/displayName maxNameLength} characters",
      `makes at most {${correspondents}} reverse addresses`,
      `(one mail makes at most {${correspondents}})`,
      `above {${calendars}/forwardedCalendars maxCalendarBytes MiB} MiB as they are encoded or above {${calendars}/calendarPeople maxLines} lines`,
      `(JSON and XML: {${calendars}/forwardedCalendars maxOtherBytes KiB} KiB)`,
      `more than {${leaves} maxParts} parts or {${leaves} maxDepth} levels`,
      `more than {${leaves} maxParts} parts ({${leaves} maxAttachedParts} in attached mails) or {${leaves} maxDepth} levels`,
      "above {server/relay/decision/calendarCopies maxCopyBytes MiB} MiB or their calendars above {server/relay/decision/calendarCopies maxBytesOfCalendars MiB} MiB",
      `more than {${calendars}/calendarPeople maxReadLines} different lines`,
      "in {server/platform/dns/dnsCache totalMs s} seconds at most",
      "`From` of more than {server/mime/author maxFromBytes KiB} kB",
      "one of more than {server/proof/checkedHeader maxSignatureBytes KiB} kB, or that covers more than {server/proof/checkedHeader maxCoveredNames} names",
      "for {server/proof/judge smallStepMs s} seconds ({server/proof/judge largeStepMs s} for a mail above {server/proof/judge largeBytes KiB} kB)",
      `at most {${spam}/evaluate evaluationThreads.timeLimitMs s} s and in at most {${spam}/evaluate evaluationThreads.memoryLimitMb} MB`,
      "first {core/mail/parsedMail maxTextLength} characters",
      "at most {server/features/digest/digest digestLimits.bytes MiB} MiB together",
      "above {server/relay/trackers/removeTrackers maxHtmlBytes MiB} MiB, of more than {server/relay/trackers/htmlTags maxElements} elements or {server/relay/trackers/htmlTags maxDepth} levels",
      "The {server/relay/trackers/removeTrackers maxHtmlBytes MiB} MiB are",
      "once in {core/rules/model/action autoReplyDays} days to each and {server/relay/decision/automaticAnswerQueries maxAnswersPerHour} an hour",
      "works for {core/mail/actionLinkPlace actionLinkDays} days",
      "text above {server/features/actionLinks/linkFooter maxTextBytes MiB} MiB, or more than {server/features/actionLinks/linkFooter maxFootedBytes MiB} MiB together",
      `without redirects, within {${outgoing} answerWithinMs s} seconds`,
      "(up to {server/features/unsubscribe/listTarget mailLimits.subject} characters) and text (up to {server/features/unsubscribe/listTarget mailLimits.body})",
      "Links work for {core/mail/unsubscribeMode unsubscribeLinkDays} days, at most {server/features/unsubscribe/unsubscribings unsubscribingsPerDay} a day",
      "the {server/features/unsubscribe/mailingLists maxLists} latest lists",
      "{SENDER_MAILS_PER_MINUTE} mails in a minute or {SENDER_MAILS_PER_HOUR} in an hour",
      `larger than {${smtp} maxMailBytes MiB} MiB, its header larger than {server/mime/headerBlock maxHeaderBytes KiB} KiB, or all its copies together larger than {server/relay/receive/transaction maxCopiesBytes MiB} MiB`,
      `More than {${smtp} maxRecipientsPerMail} recipients`,
      "more than {server/relay/decision/receivedField maxHops} servers",
      `longer than {${smtp} maxCommandBytes} bytes`,
      `refusals in one connection ({${smtp} maxRefusals})`,
      `idle for {${smtp} idleTimeoutMs min} minutes`,
      `| Open | {${smtp} maxConnectionsPerNetwork} connections | {${smtp} maxConnectionsPerWiderNetwork} connections | {${smtp} maxConnections} connections, of which {${smtp} provenConnections} are kept |`,
      `| New | {${smtp} connectionsPerNetwork.burst} connections, and {${smtp} connectionsPerNetwork.perSecond} more a second | {${smtp} connectionsPerWiderNetwork.burst} connections, and {${smtp} connectionsPerWiderNetwork.perSecond} more a second |`,
      `The {${smtp} provenConnections} are kept`,
      "last {server/smtp/senderHistory rememberedMs d} days",
      `connect {${smtp} provenFactor word} times as often`,
      `may name {${unknown} unknownOfNetwork.burst} unknown recipients at once and then {${unknown} unknownOfNetwork.perSecond hourly} an hour (a wider one {${unknown} unknownOfWiderNetwork.burst} and {${unknown} unknownOfWiderNetwork.perSecond hourly})`,
      `after {${smtp} firstGuessDelayMs s} second, each further one after twice that time, up to {${smtp} longestGuessDelayMs s} seconds`,
      `again after {${retry} firstRetryMs min} minute, 2, 4 and so on, on the first day at least every hour, then every {${retry} maxWaitMs h} hours, for {${retry} giveUpAfterDays} days. After {${retry} delayNoticeAfterMs h} hours`,
      `after the {${retry} giveUpAfterDays} days, it is held`,
      "above {server/platform/spool/arrivingContent maxBytesInMemory KiB} KiB in `spool/`",
      "above {server/delivery/queue/objectBodies maxRowBytes KiB} kB in",
      "there within {server/delivery/delivery finishedDays} days",
      `is kept for {${held}} days`,
      `after {${held}} days it is deleted`,
      "gets at most {server/features/held/failureReportQueries reportsPerDay} a day",
      "for {server/delivery/delivery finishedDays} days after the delivery",
      "From {server/features/reports/complaints/complaints leastComplaints word} in a day on, when they are more than {server/features/reports/complaints/complaints highestShare percent} %",
      "kept for {server/features/reports/complaints/complaintQueries keptMs d} days",
      `at most {server/features/destinations/webKeySearch maxFoundBytes kB} kB and {${outgoing} answerWithinMs s} seconds, {server/features/destinations/destinationKeyRoutes searchesPerHour} times an hour`,
      "RSA of at least {server/platform/openpgp/checkPublicKey minRsaBits} bits",
      "within {server/platform/openpgp/keyThreads keyThreads.timeLimitMs s} seconds",
      "{server/mime/autocryptField maxAutocryptBytes KiB} kB at most",
      "up to {core/destinations/destinationEndpoints maxDestinationKeys word} keys",
      `opens at most {${perMinute}.signIn} a minute`,
    ],
    free: [
      /takes 7 bits only/g,
      /fewer than 1,024 bits/g,
      /UTF-\d+|ISO-2022|8BITMIME/g,
      /Microsoft 365/g,
      /Ten signatures are judged/g,
      /\b0 in one;/g,
      /998 characters \(about 550/g,
      /four accepted copies|for ten minutes/g,
      /at least 43 random bits/g,
      /part of 8 bits/g,
      /\(5\.6, 5\.7,/g,
    ],
  },
  "docs/security.md": {
    facts: [
      `kept for {${codeLimits}.minutes} minutes where`,
      `A {core/api/textCodecs codeDigits word}-digit code goes`,
      `for {${oneTimeCode} codeLifetimeMs min} minutes and {${codes} triesPerCode} attempts`,
      `at most {${codes} maxCodeMails} codes an hour`,
      `causes {${codes} maxCodeMailsOfNetwork} an hour`,
      `takes {${codes} wrongCodeLimits.perClient} a day from one network and {${codes} wrongCodeLimits.perAccount} from all; after {${codes} triesPerCode} each further one waits, from {server/features/signInCodes/wrongCodes firstDelayMs s} seconds up to {server/features/signInCodes/wrongCodes maxDelayMs min} minutes. After {${codes} wrongCodeLimits.notifiedAfter word} in a day`,
      "after each {server/features/signInCodes/wrongCodes alarmEvery} of all accounts",
      `for {${lifetimes} knownBrowserMs d} days (a signed cookie)`,
      `once, for {${oneTimeCode} codeLifetimeMs min} minutes; a second factor`,
      `has {${codes} triesPerSecondFactor} attempts in {${oneTimeCode} secondFactorLifetimeMs min} minutes`,
      "works once, for {server/features/passkeys/passkeyLimits challengeLifetimeMs min} minutes",
      "after {server/features/passkeys/passkeyLimits mostRefused.most} of them",
      "has at most {core/passkeys/passkeyEndpoints maxPasskeys}; its owner",
      "times ({server/features/oidc/provider clockToleranceS} seconds)",
      "up to {server/features/oidc/providerFetch maxAnswerBytes KiB} KiB, for {server/features/oidc/providerFetch answersWithinMs s} seconds",
      `provider ends after {${lifetimes} signOnWithinMs min} minutes`,
      `once, within {${lifetimes} signOnTicketMs min} minute,`,
      "within the last {core/session/recentProof recentProofMs minWord} minutes",
      `code of {core/api/textCodecs codeDigits word} digits that works once, for {${oneTimeCode} codeLifetimeMs min} minutes and {${codes} triesPerCode} tries`,
      `valid for {${lifetimes} accessTokenLifetimeMs min} minutes`,
      `ends after {${lifetimes} sessionLifetimeMs d} days without use`,
      `stays valid for {${lifetimes} refreshGraceMs s} seconds`,
      "within {server/platform/store/idempotencyQueries answerLifetimeMs h} hours is carried",
      "newest {server/platform/store/idempotencyQueries maxResponses} writes of each session ({server/platform/store/idempotencyQueries maxLargeResponses} large ones)",
      "at most {server/features/destinations/destination maxRequestsPerDay} addresses a day",
      `at most {${codes} maxCodeMails} requests an hour`,
      "has {server/features/correspondents/reverseAddress chanceBytes bits} random bits",
      `ends after {${outgoing} answerWithinMs s} seconds and reads {${outgoing} answerLimits.body KiB} KiB`,
      `kept for {${lastMails} lastMailLimits.hours} hours`,
      "above {server/platform/dns/dnsCache maxTextBytes KiB} kB",
      "{core/session/twoFactor/recoveryCode recoveryCodeCount Word} recovery codes",
      "works for {server/features/push/pushLimits pushActionDays} days, while the device",
    ],
    free: [
      /it is gone \(404, 410\)/g,
      /up to level 2/g,
      /256 bits in the fragment/g,
      /with 256 bits/g,
      /has 128 random bits/g,
      /have 120 random bits/g,
      /log within ten minutes/g,
    ],
    elsewhere: ["What strangers can make the server keep"],
  },
  "docs/security/asvs.md": { isRecord: true },
  "docs/self-hosting.md": {
    facts: [
      `waits {${testMail} arrivesWithinMs min} minutes for it`,
      "stay for {server/proof/dkimRotation retiredKeyDays} days",
      `with {${http}.connectionsOfNetwork} connections at once (a /64 too; {${http}.connectionsOfWiderNetwork} a /24 or a /56; {${http}.connections} all together)`,
      `once, within {${oneTimeCode} codeLifetimeMs min} minutes`,
      "limit is {server/relay/limits/installationShares postmasterShare.unproven} mails an hour, {server/relay/limits/installationShares postmasterShare.unprovenOfNetwork} of them of one network, each of {server/relay/receive/postmaster maxPostmasterMailBytes MiB} MiB",
      "may send {server/relay/limits/installationShares postmasterShare.domain} an hour",
      "for {core/operator/receiverReports reportDays} days; the operator",
      `{${reports}/receiveReport maxReportMailBytes MiB} MB as a mail`,
      `{${reports}/received/reportProblem maxReportBytes MiB} MB unpacked`,
      `at most {${domainLimits} firstLimit} mails at once, up to {server/app/directMail limits.maxInProgress} while`,
      `rests for {${domainLimits} firstBlockMs s} seconds`,
      `in the last {${domainLimits} provenForMs min} minutes`,
      `retried for {${retry} giveUpAfterDays} days`,
      `sends a provider {${providers} firstPerHour} mails an hour`,
      `otherwise for {${providers} firstPauseMs min} minutes, then twice as long each time, up to {${providers} longestPauseMs h} hours`,
      `Mail of {${spam}/spamScore spamThreshold} points`,
      "take {server/platform/dns/dnsCache totalMs s} seconds at most",
      `answer within {${spam}/rspamd rspamdWithinMs s} seconds`,
      "takes {SENDER_MAILS_PER_MINUTE} mails a minute",
      "and {SENDER_MAILS_PER_HOUR} an hour",
      "less than {server/platform/ops/diskReserve largestReserveBytes MiB} MiB are free, or {server/platform/ops/diskReserve shareOfDisk percent} %",
      "every {server/platform/storage/storageCheck repeatAfterMs s} seconds",
    ],
    free: [
      // The ports of the firewall's table, as protocols have them.
      /\| (?:25|53|80|123|443|465|587)(?:, (?:443|587))? (?=\||\()/g,
      /read on 443|such as 465|on 587 and 465/g,
      /1, 2, 5 and 15 minutes/g,
      /\(6 MB\)/g,
      /neither steps 1 to 3 nor 6/g,
      /from 12 on/g,
      /24\.15\*? or later or 26/g,
      /\*\* 24\.15 or later or 26/g,
      /10 connections to an address/g,
      /greet with 521/g,
      /five of them at once|after nine days/g,
      // The points of the spam filter, which its own tests compare.
      /\| [\d./ ]+ (?=\|)/g,
      /within 10 seconds\. Mail/g,
      /below 640 MiB/g,
      /code 78/g,
      /user 10001/g,
      /answers? 200|with 500|4xx/g,
      /beyond seven/g,
    ],
  },
  "docs/scaling.md": {
    facts: [
      `a claim ends {${signsOfLife} silentMs s} s after`,
      `every {${signsOfLife} beatIntervalMs s} s that it runs; its leases end after {${signsOfLife} silentMs s} s without`,
      "runs again, {server/platform/store/postgresqlTransactions maxAttempts word} times",
      "the last {server/platform/store/standbyReads maxLagSeconds} s",
      `within {${smtp} headerWithinMs s} s; from`,
      "notices within {server/platform/store/postgresqlChannel heardWithinMs s} s",
      `{${rates}/postgresqlRates maxSharedKeys} keys at most`,
      "larger than {server/delivery/queue/objectBodies maxRowBytes KiB} kB is an object",
      "other mail above {server/delivery/queue/objectBodies maxRowBytes KiB} kB waits",
      "pieces of {server/platform/objects/sealedObject pieceBytes KiB} KiB",
      "after {server/platform/objects/s3Client defaultS3Limits.requestMs s} seconds, and a second for each {server/platform/objects/s3Client defaultS3Limits.bytesPerSecond KiB} KiB",
      "mail is {server/delivery/delivery finishedDays} days old",
      "At most {server/platform/store/partitions maxMoved} rows",
    ],
    free: [
      /within 50 s|2,064 bytes/g,
      /4xx/g,
      /120 s and 15 s|instead of 14 s/g,
      /[Tt]en (?:times a second|processes allow)|10 % more|in four seconds/g,
      // Measured.
      /takes 1\.0 ms without a key, with 10 keys 1\.7, with 100 keys 4\.5 and with 500, the most, 21/g,
      /A mail of 75 kB then takes 1\.6 kB of the log in place of 85\.5 kB/g,
      /before 30 days|four rights|16\.2\.15/g,
      /longer than 300 ms|six hours ahead/g,
      /After a year of .{0,400}? 1\.9 times/g,
    ],
    elsewhere: [
      "A cluster",
      "Other databases that speak like PostgreSQL",
      "Speed",
      "What grows with an installation",
      "A plan for a million users",
    ],
  },
};

const pageSize = "core/api/listPage maxPageSize";

/** What the sentences of the description of the API say, which the build makes of the endpoints' docstrings. */
export const apiDescription: PageFigures = {
  facts: [
    `can be restored for {${trash}} days`,
    `within {${trash}} days of its deletion`,
    `at most \`limit\` (1 to {${pageSize}}) of those`,
    "first: the last {server/features/trash/userTrash maxListed}, or",
    "first: the first {server/features/correspondents/correspondents maxListed}, or",
    "latest first, {server/features/unsubscribe/mailingLists maxLists} at most",
    "beyond {server/features/destinations/destinationKeyRoutes searchesPerHour} searches an hour",
    "larger than {core/held/heldMail maxReadBytes MiB} MiB",
    "({server/features/mailLog/logRoutes defaultPageSize} without one, and never more than {server/features/mailLog/logRoutes maxPageSize})",
    "may have {core/realtime/eventStream maxStreamsPerToken} streams open, and a user {core/realtime/eventStream maxStreamsPerUser};",
    `Makes a webhook; 409 beyond {${webhooks} maxWebhooks}.`,
    "of whichever account; 409 beyond {core/push/pushEndpoints maxPushDevices}.",
    `last {${webhooks} listedDeliveries} deliveries`,
    `signs too for {${webhooks} earlierSecretHours} hours`,
    "Makes an API token; 409 beyond {core/apiTokens/apiTokenEndpoints maxApiTokens}.",
    `last {${lastMails} lastMailLimits.hours} hours, at most {${lastMails} lastMailLimits.perMask}.`,
    `kept for {${lastMails} lastMailLimits.hours} hours, encrypted`,
    `kept for {${lastMails} lastMailLimits.hours} hours to test`,
    `than {${lastMails} lastMailLimits.bytes KiB} kB only the first {${lastMails} lastMailLimits.bytes KiB} kB are`,
    `arrived in the last {${codeLimits}.minutes} minutes`,
    `GET /codes\` does; at most {${codeLimits}.perMask}.`,
    "code of {core/api/textCodecs codeDigits} digits",
    "for {server/features/passkeys/passkeyLimits challengeLifetimeMs min} minutes",
    "beyond {core/passkeys/passkeyEndpoints maxPasskeys} passkeys",
    "up to {server/platform/http/idempotency maxIdLength} visible",
    `delivered in {${retry} giveUpAfterDays} days`,
    `deleted after {${held}} days`,
    "in the last {core/operator/operatorEndpoints failedHours} hours",
    "in the last {core/operator/receiverReports reportFigureDays} days",
    `at most {${webhookLimits} maxAnswer} characters`,
    "within the last {core/session/recentProof recentProofMs minWord} minutes",
    "for {core/session/recentProof recentProofMs minWord} minutes",
  ],
  free: [
    /Returns 200|400 (?:when|with|while)/g,
    /P-256 in base64url|(?:SHA-256 in|16 bytes in) base64url/g,
    /"2026-11"|203\.0\.113\.0\/24|since 1970|start at 0|"RSA 3072"/g,
    /\(4\.8 random bits|\(11 bits each|\(122 bits|have 43 bits|in 64 octets/g,
  ],
};
