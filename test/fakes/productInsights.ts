import { type AiFeatures, withDefaultFeatures } from "../../core/contentAccess/aiFeature.ts";
import {
  type ContentAccessAnswer,
  mayAccessContent,
} from "../../core/contentAccess/contentAccessEndpoints.ts";
import { getCategories, type InsightsAnswer } from "../../core/insights/insightsEndpoints.ts";
import { type Suggestion, type SuggestionStatus, suggestionStatus } from "../../core/insights/suggestion.ts";
import { dayMs, minuteMs } from "../../core/kernel/durations.ts";
import type { User } from "../../core/session/user.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";
import { startsAt } from "./virtualClock.ts";

const ago = (ms: number): string => new Date(startsAt - ms).toISOString();

export const createSuggestion = (actionKey: string, more: Partial<Suggestion> = {}): Suggestion => ({
  actionKey,
  title: `Suggestion ${actionKey}`,
  description: "What was seen, and what would help.",
  type: "efficiency",
  category: "other",
  action: "createMask",
  actionText: "Create mask",
  status: suggestionStatus.open,
  applied: false,
  ...more,
});

/** The figures of three weeks of mail to two masks, "a" and "b". */
export const createFigures = (more: Partial<InsightsAnswer> = {}): InsightsAnswer => ({
  total: 1_234,
  thisMonth: 172,
  categoryBreakdown: { promotional: 600, transactional: 300, newsletter: 200, personal: 100, other: 34 },
  topCategories: [
    { category: "promotional", count: 600 },
    { category: "transactional", count: 300 },
    { category: "newsletter", count: 200 },
    { category: "personal", count: 100 },
  ],
  recentEmails: [
    {
      date: ago(5 * minuteMs),
      maskId: "a",
      senderDomain: "shop.example",
      category: "promotional",
      outcome: "forwarded",
    },
    {
      date: ago(60 * minuteMs),
      maskId: "b",
      senderDomain: "spam.example",
      category: null,
      outcome: "blocked",
    },
  ],
  summaryStats: {
    promotionalEmails: 600,
    importantEmails: 0,
    transactionalEmails: 300,
    newsletterEmails: 200,
  },
  suggestions: [],
  plan: "free",
  since: "2026-10-01T00:00:00.000Z",
  flow: { received: 1_234, forwarded: 1_030, blocked: 204 },
  flowThisMonth: { received: 172, forwarded: 150, blocked: 22 },
  systemEmails: 12,
  byDay: Array.from({ length: 21 }, (_, n) => ({
    day: ago(n * dayMs).slice(0, 10),
    received: 8 + n,
    forwarded: 6 + n,
    blocked: 2,
  })),
  senders: [
    { domain: "shop.example", received: 700, masks: 2 },
    { domain: "news.example", received: 300, masks: 1 },
  ],
  rules: Array.from({ length: 7 }, (_, n) => ({
    id: `rule_${n}`,
    maskId: n % 2 === 0 ? "a" : "b",
    name: `Rule ${n}`,
    type: n === 0 ? "content_filter" : "sender_filter",
    applied: 70 - 10 * n,
    lastApplied: ago(n * minuteMs),
  })),
  rulesByType: { content_filter: 70, sender_filter: 150 },
  tags: { Shopping: 40, Travel: 2 },
  actions: { tag: 42, block: 20 },
  blockReasons: Array.from({ length: 6 }, (_, n) => ({ reason: `Reason ${n}`, count: 60 - n })),
  verdicts: {
    "spf=pass": 1_200,
    "spf=fail": 34,
    "dmarc=pass": 1_100,
    "dmarc=fail": 100,
    "dmarc=none": 34,
    "arc=pass": 12,
    "arc=none": 1_222,
  },
  securityEvents: Array.from({ length: 6 }, (_, n) => ({
    date: ago((n + 1) * minuteMs),
    maskId: "a",
    threatLevel: n === 0 ? "high" : "low",
    reason: `Event ${n}`,
  })),
  masks: [
    { id: "a", description: "Mask a", active: true, received: 1_200, forwarded: 1_000, blocked: 200 },
    { id: "b", description: "Mask b", active: false, received: 34, forwarded: 30, blocked: 4 },
  ],
  ...more,
});

/** Figures without any mail. */
export const noMail: InsightsAnswer = {
  total: 0,
  thisMonth: 0,
  categoryBreakdown: {},
  topCategories: [],
  recentEmails: [],
  summaryStats: { promotionalEmails: 0, importantEmails: 0, transactionalEmails: 0, newsletterEmails: 0 },
  suggestions: [],
};

/** Insights and content access of the fake server's user. */
export interface ProductInsights {
  /** The figures of all masks, or with an id of one. */
  readonly setFigures: (figures: InsightsAnswer, maskId?: string) => void;
  readonly suggest: (...suggestions: readonly Suggestion[]) => void;
  readonly statusOf: (actionKey: string) => SuggestionStatus;
  readonly access: () => ContentAccessAnswer;
  readonly setAccess: (access: Partial<ContentAccessAnswer>) => void;
  readonly features: () => AiFeatures;
  readonly setOffered: (features: readonly string[]) => void;
}

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

const refused = (status: number, message: string, more: object = {}): Answer => ({
  status,
  json: { message, ...more },
});

export const serveInsights = (server: FakeHttp, authorised: Authorise, user: () => User): ProductInsights => {
  const figures = new Map<string | null, InsightsAnswer>([[null, noMail]]);
  const statuses = new Map<string, SuggestionStatus>();
  let suggestions: readonly Suggestion[] = [];
  let access: ContentAccessAnswer = { contentAccessEnabled: false, contentAccessAcknowledged: false };
  let features = withDefaultFeatures({});
  let offered: readonly string[] | null = null;
  const statusOf = (actionKey: string): SuggestionStatus => statuses.get(actionKey) ?? suggestionStatus.open;
  const isEligible = (): boolean => mayAccessContent(user().subscription.tier);
  const currentSuggestions = (): Suggestion[] =>
    suggestions
      .map((one) => {
        const status = statusOf(one.actionKey);
        return { ...one, status, applied: status === suggestionStatus.applied };
      })
      .filter(({ status }) => status !== suggestionStatus.dismissed);
  const preferences = (): Answer => ({ json: { features, ...(offered === null ? {} : { offered }) } });

  server.on(
    "GET",
    "/ai/insights",
    authorised(({ url }) => {
      const maskId = new URL(url, "http://server").searchParams.get("maskId");
      const known = figures.get(maskId);
      return known
        ? { json: { ...known, suggestions: currentSuggestions() } }
        : refused(404, "There is no such mask");
    }),
  );
  server.on(
    "POST",
    "/ai/insights",
    authorised(({ body }) => {
      const { actionKey, status } = body as { actionKey: string; status: SuggestionStatus };
      if (!statuses.has(actionKey) && !suggestions.some((one) => one.actionKey === actionKey))
        return refused(404, "This suggestion is not there any more.");
      statuses.set(actionKey, status);
      return { json: { message: "Suggestion status updated" } };
    }),
  );
  server.on(
    "GET",
    getCategories.path,
    authorised(() => ({ json: { categories: [] } })),
  );
  server.on(
    "GET",
    "/ai/content-access",
    authorised(() => ({ json: { ...access, contentAccessEligible: isEligible() } })),
  );
  server.on(
    "PUT",
    "/ai/content-access",
    authorised(({ body }) => {
      const wanted = body as { contentAccessEnabled: boolean; acknowledgment?: boolean };
      if (!isEligible()) return refused(403, "Content access features require Pro tier or higher");
      if (wanted.contentAccessEnabled && wanted.acknowledgment !== true)
        return refused(400, "You must acknowledge the privacy notice to enable content access", {
          acknowledgmentRequired: true,
        });
      access = {
        ...access,
        contentAccessEnabled: wanted.contentAccessEnabled,
        contentAccessAcknowledged: wanted.contentAccessEnabled,
      };
      return { json: { ...access, contentAccessEligible: true } };
    }),
  );
  server.on(
    "GET",
    "/ai/preferences",
    authorised(() =>
      access.contentAccessEnabled
        ? preferences()
        : refused(400, "Content access must be enabled to use AI features"),
    ),
  );
  server.on(
    "PUT",
    "/ai/preferences",
    authorised(({ body }) => {
      if (!access.contentAccessEnabled)
        return refused(400, "Content access must be enabled to update AI preferences");
      const change = (body as { preferences: { features: Partial<AiFeatures> } }).preferences.features;
      features = { ...features, ...change };
      return preferences();
    }),
  );
  return {
    setFigures: (next, maskId) => void figures.set(maskId ?? null, next),
    suggest: (...next) => {
      suggestions = next;
    },
    statusOf,
    access: () => access,
    setAccess: (next) => {
      access = { ...access, ...next };
    },
    features: () => features,
    setOffered: (next) => {
      offered = next;
    },
  };
};
