import type { GeneratedMail } from "./generatedMail.ts";

/** A sent mail with the day on which the server accepted it. */
export interface SentMail extends GeneratedMail {
  readonly day: string;
  /** Whether access to content was on when the mail arrived, and has been since. */
  readonly classified: boolean;
}

const tally = (keys: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
};

const flow = (mails: readonly SentMail[]) => ({
  received: mails.length,
  forwarded: mails.filter(({ outcome }) => outcome === "forwarded" || outcome === "digest").length,
  blocked: mails.filter(({ outcome }) => outcome === "blocked").length,
});

/** Counts the figures of a set of mails, independently of the server's counters. */
export const countedIn = (mails: readonly SentMail[], maskIds: readonly string[], month: string) => {
  const passed = mails.filter(({ outcome }) => outcome !== "blocked");
  const domains = [...new Set(passed.map(({ domain }) => domain))];
  const ofThisMonth = mails.filter(({ day }) => day.startsWith(month));
  return {
    total: mails.length,
    thisMonth: ofThisMonth.filter(({ outcome }) => outcome !== "blocked").length,
    flow: flow(mails),
    flowThisMonth: flow(ofThisMonth),
    categoryBreakdown: tally(mails.filter(({ classified }) => classified).map(({ category }) => category)),
    tags: tally(mails.flatMap(({ tags }) => tags)),
    actions: tally(mails.flatMap(({ actions }) => actions)),
    rules: tally(mails.flatMap(({ mask, rules }) => rules.map((rule) => `${maskIds[mask]} ${rule}`))),
    rulesByType: tally(mails.flatMap(({ rules }) => rules.map(() => "content_filter"))),
    blockReasons: tally(mails.flatMap(({ reason }) => reason ?? [])),
    senders: Object.fromEntries(
      domains.map((domain) => {
        const theirs = passed.filter((mail) => mail.domain === domain);
        return [domain, theirs.length];
      }),
    ),
    byDay: Object.fromEntries(
      [...new Set(mails.map(({ day }) => day))].map((day) => [
        day,
        flow(mails.filter((mail) => mail.day === day)),
      ]),
    ),
    newest: mails
      .slice(-10)
      .reverse()
      .map(({ domain, outcome }) => `${domain} ${outcome}`),
  };
};
