import { readFileSync } from "node:fs";
import { expect } from "chai";
import { dayMs } from "../../core/kernel/durations.ts";
import { maxTextLength } from "../../core/mail/parsedMail.ts";
import { giveUpAfterMs } from "../../core/mail/retrySchedule.ts";
import { limitsOf, tiers } from "../../core/tiers/tier.ts";
import { maxCorrespondents } from "../../server/features/replies/rewrite/forwardedFields.ts";
import { maxHeaderBytes } from "../../server/mime/headerBlock.ts";
import { readConfig } from "../../server/platform/config/config.ts";
import type { Allowance } from "../../server/platform/rates/buckets.ts";
import { maxLines, maxReadLines } from "../../server/relay/calendars/calendarPeople.ts";
import { maxCalendarBytes, maxOtherBytes } from "../../server/relay/calendars/forwardedCalendars.ts";
import { maxBytesOfCalendars, maxCopyBytes } from "../../server/relay/decision/calendarCopies.ts";
import * as refusals from "../../server/relay/decision/refusals.ts";
import { evaluationThreads } from "../../server/relay/evaluate/evaluate.ts";
import { unknownOfNetwork, unknownOfWiderNetwork } from "../../server/relay/limits/unknownRecipients.ts";
import { maxCopiesBytes } from "../../server/relay/receive/transaction.ts";
import { maxDepth, maxElements } from "../../server/relay/trackers/htmlTags.ts";
import { maxHtmlBytes } from "../../server/relay/trackers/removeTrackers.ts";
import {
  connectionsPerNetwork,
  connectionsPerWiderNetwork,
  maxConnections,
  maxConnectionsPerNetwork,
  maxConnectionsPerWiderNetwork,
  maxMailBytes,
  maxRecipientsPerMail,
  maxRefusals,
  provenConnections,
} from "../../server/smtp/smtpLimits.ts";
import * as replies from "../../server/smtp/smtpReplies.ts";

const page = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8").replace(/\s+/g, " ");

const isReply = (exported: unknown): exported is replies.SmtpReply =>
  typeof exported === "object" && exported !== null && "status" in exported;

/** Every reply that refuses, as "550 5.1.1", and the replies of the SMTP library. */
const refusalCodes: readonly string[] = [
  ...[...Object.values(replies), ...Object.values(refusals)]
    .filter(isReply)
    .map(({ code, status }) => (code === 421 ? "421" : `${code} ${status}`)),
];

const { perMinute, perHour } = readConfig({}).senderLimits;
const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;
const grouped = (number: number): string => new Intl.NumberFormat("en-US").format(number);

const rateOf = ({ burst, perSecond }: Allowance): string =>
  `${burst} connections, and ${perSecond} more a second`;

describe("The documentation of forwarding", () => {
  const forwarding = page("forwarding.md");
  const answers = Array.from(
    forwarding.matchAll(/\| ((?:\d{3}(?: \d\.\d\.\d)?(?:, )?)+) \|/g),
    ([, codes = ""]) => codes.split(", "),
  ).flat();

  it("lists every reply that refuses mail", () => {
    for (const code of refusalCodes) expect(forwarding).to.contain(code);
  });

  it("names the limits of calendars", () => {
    for (const limit of [
      `above ${mebibytes(maxCalendarBytes)} as they are encoded or above ${grouped(maxLines)} lines`,
      `(JSON and XML: ${maxOtherBytes / 1024} KiB)`,
      `more than ${maxReadLines} different lines`,
      `above ${mebibytes(maxCopyBytes)} or their calendars above ${mebibytes(maxBytesOfCalendars)}`,
      `(one mail makes at most ${maxCorrespondents})`,
    ])
      expect(forwarding).to.contain(limit);
  });

  it("names the limits of HTML from which trackers are removed", () => {
    const limits = `above ${mebibytes(maxHtmlBytes)}, of more than ${grouped(maxElements)} elements or ${maxDepth} levels`;
    expect(forwarding).to.contain(`HTML ${limits}`);
  });

  it("lists no reply that the relay does not send", () => {
    expect(answers).to.include("550 5.1.1");
    for (const code of answers.filter((one) => !one.startsWith("250")))
      expect(refusalCodes, code).to.include(code);
  });

  it("names the current limits", () => {
    const limits = [
      `larger than ${mebibytes(maxMailBytes)}`,
      `header larger than ${maxHeaderBytes / 1024} KiB`,
      `More than ${maxRecipientsPerMail} recipients`,
      `too many refusals in one connection (${maxRefusals})`,
      `the first ${grouped(maxTextLength)} characters`,
      `for at most ${evaluationThreads.timeLimitMs / 1_000} s and in at most ${evaluationThreads.memoryLimitMb} MB`,
      `all its copies together larger than ${mebibytes(maxCopiesBytes)}`,
      `after the ${giveUpAfterMs / dayMs} days`,
      `| Open | ${maxConnectionsPerNetwork} connections | ${maxConnectionsPerWiderNetwork} connections | ${maxConnections} connections, of which ${provenConnections} are kept |`,
      `| New | ${rateOf(connectionsPerNetwork)} | ${rateOf(connectionsPerWiderNetwork)} | any number |`,
      `may name ${unknownOfNetwork.burst} unknown recipients at once and then ${unknownOfNetwork.perSecond * 3_600} an hour (a wider one ${unknownOfWiderNetwork.burst} and ${unknownOfWiderNetwork.perSecond * 3_600})`,
      `${perMinute} mails in a minute or ${perHour} in an hour`,
    ];
    for (const limit of limits) expect(forwarding).to.contain(limit);
  });
});

describe("The documentation of insights", () => {
  it("names how long each plan keeps figures", () => {
    const insights = page("insights.md");
    const [, sentence = ""] = /Figures are kept for the history of the plan: ([^.]+)\./.exec(insights) ?? [];
    for (const tier of tiers) {
      const { history } = limitsOf[tier];
      expect(sentence).to.contain(history === "unlimited" ? "without limit" : history);
    }
  });
});

describe("The README", () => {
  it("counts the steps of the instructions for a server on the internet", () => {
    const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
    const [, section = ""] = read("docs/self-hosting.md").split(/^## .*$/m);
    const steps = section.match(/^\d+\. /gm) ?? [];
    expect(steps.length).to.be.above(3);
    expect(read("README.md")).to.contain(`to the first real mail in ${steps.length} steps`);
  });
});
