import { existsSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { maxApiTokens } from "../../core/apiTokens/apiTokenEndpoints.ts";
import { codeLimits } from "../../core/codes/codeEndpoints.ts";
import { maxDestinationKeys } from "../../core/destinations/destinationEndpoints.ts";
import { maxMadePerDay, maxOwnDomains } from "../../core/domains/domain.ts";
import { heldDays } from "../../core/held/heldMail.ts";
import { dayMs, hourMs } from "../../core/kernel/durations.ts";
import { maxStoredLabels } from "../../core/labels/labelEndpoints.ts";
import { lastMailLimits } from "../../core/lastMails/lastMailEndpoints.ts";
import { maxEntries } from "../../core/mailLog/logEntry.ts";
import { notificationHistory } from "../../core/notifications/notification.ts";
import { maxPasskeys } from "../../core/passkeys/passkeyEndpoints.ts";
import { maxPushDevices } from "../../core/push/pushEndpoints.ts";
import { maxListedSenders } from "../../core/senders/maskSenders.ts";
import { maxWebhooks } from "../../core/webhooks/webhookEndpoints.ts";
import { maxFreshBytes } from "../../server/delivery/delivery.ts";
import { maxCounts } from "../../server/delivery/direct/tlsReportCounts.ts";
import { refusalsPerHour as loggedRefusals } from "../../server/delivery/mailLog/refusedEntries.ts";
import { keptElsewhereGb } from "../../server/delivery/queue/keptSpace.ts";
import { maxNetworks } from "../../server/features/apiTokens/apiTokenQueries.ts";
import { maxPasswords } from "../../server/features/appPasswords/userAppPasswords.ts";
import { unusedLifetimeMs } from "../../server/features/correspondents/reverseAddresses.ts";
import { maxUnansweredOfMask } from "../../server/features/correspondents/unansweredAddresses.ts";
import { maxRequestsPerDay } from "../../server/features/destinations/destination.ts";
import { reportsPerDay } from "../../server/features/held/failureReportQueries.ts";
import { unsentLimits } from "../../server/features/held/unsentReplyQueries.ts";
import { recentMailLimit } from "../../server/features/insights/recentMailQueries.ts";
import { maxSenderCounts } from "../../server/features/insights/retention.ts";
import { maxNotified } from "../../server/features/notifications/noRoomNotice.ts";
import { notificationRetentionMs } from "../../server/features/notifications/userNotifications.ts";
import { pushesPerHour } from "../../server/features/push/pushLimits.ts";
import { maxWaitingPushes } from "../../server/features/pushDevices/announcePush.ts";
import { keptMs } from "../../server/features/reports/complaints/complaintQueries.ts";
import {
  maxRows,
  maxRowsOfSender,
  maxUnprovenRows,
} from "../../server/features/reports/received/reportQueries.ts";
import { maxVersions } from "../../server/features/rules/ruleVersions.ts";
import { maxCodeMails, maxCodeMailsOfNetwork } from "../../server/features/signInCodes/codeLimits.ts";
import { maxLists } from "../../server/features/unsubscribe/mailingLists.ts";
import { maxWaiting, refusalsPerHour } from "../../server/features/webhooks/webhookLimits.ts";
import { readConfig } from "../../server/platform/config/config.ts";
import { maxEntries as maxDnsEntries } from "../../server/platform/dns/dnsCache.ts";
import { limits } from "../../server/platform/http/httpLimits.ts";
import { leftToOtherMail, leftToSmallMail } from "../../server/platform/ops/diskReserve.ts";
import { maxSharedKeys } from "../../server/platform/rates/postgresqlRates.ts";
import { maxBytesOfAll } from "../../server/platform/spool/arrivingContent.ts";
import { maxLargeResponses, maxResponses } from "../../server/platform/store/idempotencyQueries.ts";
import { retentionMs } from "../../server/platform/store/oldEvents.ts";
import { ownTables } from "../../server/platform/store/ownTables.ts";
import { maxAnswersPerHour } from "../../server/relay/decision/automaticAnswerQueries.ts";
import { maxUsedUp } from "../../server/relay/limits/dailyShare.ts";
import {
  leastKeptBytes,
  maxRemembered,
  partOfNetwork,
  partOfSpace,
  waitingFactor,
} from "../../server/relay/limits/keptRoom.ts";
import { maxCounters } from "../../server/relay/limits/senderRates.ts";
import {
  maxConnections,
  maxConnectionsPerNetwork,
  maxConnectionsPerWiderNetwork,
  spoolBytes,
  spoolBytesPerNetwork,
} from "../../server/smtp/smtpLimits.ts";
import { onEachDatabase } from "../server/support/databases.ts";

const page = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");
const [, section = ""] = /\n## What strangers can make the server keep\n([\s\S]*?)\n## /.exec(page) ?? [];
const rows = section
  .split("\n")
  .filter((line) => /^\| (?!What \||-)/.test(line))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const grouped = (number: number): string => new Intl.NumberFormat("en-US").format(number);
const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;
const fractions: Readonly<Record<string, number>> = {
  "a third": 1 / 3,
  half: 1 / 2,
  "a quarter": 1 / 4,
  "an eighth": 1 / 8,
};
const { perMinute, perHour } = readConfig({}).senderLimits;

/** What each row says, by the beginning of the row. */
const figures: Readonly<Record<string, readonly string[]>> = {
  "Mail that is held": [
    mebibytes(leastKeptBytes),
    `${leftToOtherMail.most / 1024 ** 3} GiB`,
    `${keptElsewhereGb} GB`,
  ],
  "Mail that waits for its recipient": [`${waitingFactor} times`],
  "Mail on its way": [`${perMinute} a minute and ${perHour} an hour`, mebibytes(maxFreshBytes)],
  "Mail that is being received": [
    mebibytes(spoolBytesPerNetwork),
    mebibytes(spoolBytes),
    mebibytes(maxBytesOfAll),
    `${leftToSmallMail.most / 1024 ** 3} GiB`,
  ],
  "Mail whose delivery was given up": [`${heldDays} days`],
  "Replies that were refused": [`${unsentLimits.replies} replies of ${mebibytes(unsentLimits.bytes)}`],
  "The last mails": [
    `${lastMailLimits.perAccount} mails of ${lastMailLimits.bytes / 1024} KiB, for ${lastMailLimits.hours} hours`,
  ],
  "Codes in mail": [
    `${codeLimits.perAccount} codes, ${codeLimits.perMask} of a mask, for ${codeLimits.minutes} minutes`,
  ],
  "The log of mail": [`${grouped(maxEntries)} entries`, `${loggedRefusals.most} refusals an hour`],
  "Figures of mail": [`${grouped(maxSenderCounts)} rows of senders`, `${recentMailLimit} recent mails`],
  "Senders of a day": [`${grouped(maxUsedUp)} used up`],
  "Reverse addresses": [`${grouped(maxUnansweredOfMask)} unanswered`, `${unusedLifetimeMs / dayMs} days`],
  "Mailing lists": [`${maxLists} lists`],
  "Masks that mail makes": [`${maxMadePerDay} a day`],
  "Whom a rule has answered": [`${maxAnswersPerHour} answers an hour`],
  "Whom failed deliveries": [`${reportsPerDay} reports a day`],
  Notifications: [`${notificationHistory}, and more for ${notificationRetentionMs / dayMs} days`],
  "Changes for pages": [`${retentionMs / hourMs} hour`],
  "Messages to webhooks": [`${grouped(maxWaiting)} waiting`, `${refusalsPerHour.most} refusals an hour`],
  "Push notifications": [
    `${maxWaitingPushes} waiting`,
    `${pushesPerHour.most} an hour for an account, ${pushesPerHour.ofNetwork} of a network`,
  ],
  Complaints: [`${keptMs / dayMs} days`],
  "Reports of receivers": [
    `${grouped(maxRowsOfSender)} rows of a proven domain, ${grouped(maxUnprovenRows)} of all others`,
    `${grouped(maxRows)} rows`,
  ],
  "What is told other domains": [`${grouped(maxCounts)} counts a day`],
  "Codes and their counts": [`${maxCodeMails} mails an hour`, `${maxCodeMailsOfNetwork} mails an hour`],
  "Requests for confirmation": [`${maxRequestsPerDay} addresses a day`, `${maxCodeMails} an hour`],
  Connections: [
    `${maxConnectionsPerNetwork} of SMTP, ${limits.connectionsOfNetwork} of HTTP`,
    `${maxConnectionsPerWiderNetwork} and ${limits.connectionsOfWiderNetwork} of a wider one`,
    `${maxConnections} and ${grouped(limits.connections)}`,
  ],
  "What limits remember": [`${grouped(maxCounters)} keys`, `${grouped(maxSharedKeys)} that`],
  "Senders that are remembered": [`${grouped(maxRemembered)} of each`, `${grouped(maxNotified)} of each`],
  "Answers of DNS": [`${grouped(maxDnsEntries)} names`],
};

const ofUsers = [
  `\`rule_versions\` (${maxVersions} versions)`,
  `\`labels\` (${maxStoredLabels})`,
  `\`mask_senders\` (${maxListedSenders} of a mask)`,
  `\`domains\` (${maxOwnDomains})`,
  `\`passkeys\` (${maxPasskeys})`,
  `\`app_passwords\` (${maxPasswords})`,
  `\`api_tokens\` (${maxApiTokens})`,
  `\`api_token_networks\` (${maxNetworks} of a token)`,
  `\`webhooks\` (${maxWebhooks})`,
  `\`push_devices\` (${maxPushDevices})`,
  `\`destination_keys\` (${maxDestinationKeys} of a destination)`,
  `\`idempotent_answers\` (${maxResponses} of a session, ${maxLargeResponses} large ones`,
];

describe("The table of what strangers can make the server keep", () => {
  it("has the figures of the code", () => {
    for (const [beginning, texts] of Object.entries(figures)) {
      const row = rows.find(([what = ""]) => what.startsWith(beginning));
      for (const text of texts) expect(row?.join(" | "), beginning).to.contain(text);
    }
    const text = section.replace(/\s+/g, " ");
    for (const figure of ofUsers) expect(text).to.contain(figure);
  });

  it("has the shares of the space that the code has", () => {
    const [[, ofAccount = "", ofNetwork = "", inAll = ""] = [], , , [, , , ofSpool = ""] = []] = rows;
    const share = (text: string): number => fractions[text] ?? Number.NaN;
    expect(ofAccount).to.match(/^a third of the free space/);
    expect(ofNetwork).to.match(/^half of the account's, a third of the free space/);
    expect([share("a third"), share("half")]).to.deep.equal([partOfSpace, partOfNetwork]);
    expect(inAll).to.contain("but a quarter");
    expect(ofSpool).to.contain("an eighth");
    expect([share("a quarter"), share("an eighth")]).to.deep.equal([
      leftToOtherMail.part,
      leftToSmallMail.part,
    ]);
  });

  it("names a test for each row, which is there", () => {
    expect(rows.length).to.be.above(30);
    for (const [what, , , , tests = ""] of rows) {
      const names = Array.from(tests.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);
      expect(names, what).not.to.deep.equal([]);
      for (const name of names)
        expect(existsSync(new URL(`../server/${name}`, import.meta.url)), `${what}: ${name}`).to.equal(true);
    }
  });

  onEachDatabase(({ database }) => {
    it("names every table of the database: say who can fill a new one, and where that ends", async () => {
      const tables = await ownTables(database().db);
      const parts = /^(?:queue|events)_(?:default|\d{4}_\d\d_\d\d_\d\d)$/;
      const unnamed = tables
        .map(({ name }) => name)
        .filter((name) => !name.startsWith("kysely_") && !parts.test(name))
        .filter((name) => !section.includes(`\`${name}\``));
      expect(unnamed).to.deep.equal([]);
    });
  });
});
