import type { SignedIn } from "../../../core/app/signedIn.ts";
import { createTestApp, storeSession, type TestApp } from "../../fakes/appOnFakes.ts";
import { createFakePorts, type FakePortOptions, type FakePorts } from "../../fakes/fakePorts.ts";
import { createUser, tokenOf } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

/** The answer to each call of the specification; what the specification does not name is answered 404. */
export type Answers = Readonly<Record<string, unknown>>;

const email = "ada@example.org";
const token = tokenOf(email);

/** The answers with nothing but what the specification calls for. */
export const least: Answers = {
  "GET /csrf-token": null,
  "POST /login": null,
  "PUT /login": { token, user: { email } },
  "POST /login/verify2fa": { token, user: { email } },
  "POST /logout": null,
  "POST /auth/refresh-token": { token },
  "POST /refresh-token": { token },
  "POST /auth/set-token-cookie": null,
  "POST /auth/clear-token": null,
  "GET /auth/validate-token": null,
  "GET /account": { email, limits: {}, usage: {} },
  "GET /account/2fa": undefined,
  "PUT /account/profile": null,
  "POST /account/2fa/setup": { secret: "JBSWY3DP", uri: "otpauth://totp/x?secret=JBSWY3DP" },
  "POST /account/2fa/verify": null,
  "DELETE /account/2fa": null,
  "GET /keys/status": { status: "not-configured" },
  "POST /keys/setup": null,
  "GET /keys": null,
  "GET /masks": { masks: [{ id: "m1", maskEmail: "m1@masks.example", forwardTo: email }] },
  "GET /masks/:id": { id: "m1", maskEmail: "m1@masks.example", forwardTo: email },
  "POST /masks": { id: "m2", maskEmail: "m2@masks.example", forwardTo: email },
  "PUT /masks/:id": { id: "m1", maskEmail: "m1@masks.example", forwardTo: email, active: false },
  "DELETE /masks/:id": null,
  "GET /masks/:id/stats": {},
  "GET /ai/insights": { suggestions: [{ id: "tidy", title: "Tidy up", action: "createMask" }] },
  "POST /ai/insights": null,
  "GET /ai/content-access": { contentAccessEnabled: true },
  "PUT /ai/content-access": null,
  "GET /ai/preferences": { features: {} },
  "PUT /ai/preferences": null,
};

const user = {
  id: 5,
  email,
  keyStatus: "configured",
  subscription: { tier: "PRO", status: "active", currentPeriodEnd: null },
  twoFactor: { enabled: true, method: "totp" },
  created: Date.UTC(2026, 0, 5, 10),
  name: null,
};

const fullMask = {
  id: 7,
  description: "Shop",
  maskEmail: "shop@masks.example",
  forwardTo: email,
  active: true,
  created: Date.UTC(2026, 10, 1, 10),
  customPrefix: null,
  settings: {
    spamFilter: true,
    rules: [
      {
        id: "rule_1_1",
        maskId: 7,
        name: "Sales",
        type: "content_filter",
        enabled: true,
        conditions: [{ id: "c1", field: "subject", operator: "contains", value: ["sale"] }],
        actions: [{ id: "a1", type: "tag", params: { tag: "Sale" } }],
        metadata: null,
        createdAt: "2026-11-01T10:00:00.000Z",
        updatedAt: null,
      },
      {
        name: "Without id",
        type: "time-based",
        conditions: [{ field: "sender", operator: "equals", value: "shop@example.com" }],
        actions: [{ type: "archive" }],
      },
    ],
    autoReply: null,
  },
  statistics: {
    totalReceived: 4,
    totalForwarded: 3,
    spamBlocked: 1,
    totalSent: 2,
    lastUsed: Date.UTC(2026, 10, 19),
    lastCategory: null,
    aiCategories: { shopping: 3 },
    tags: { Sale: 1 },
    actions: { tag: 1 },
    actionsSummary: { totalActionsApplied: 1 },
    rulesSummary: { totalRulesApplied: 1, rulesByType: { content_filter: 1 }, lastRuleApplied: null },
    rules: { rule_1_1: { name: "Sales", appliedCount: 1 } },
    blockHistory: [{ date: Date.UTC(2026, 10, 18), threatLevel: "high", reason: "Forged" }],
  },
  metadata: { suggestionId: 3, suggestionCategory: null, note: "from a suggestion" },
  userId: 5,
};

/** The answers with all that the specification names, nulls for what is missing, and fields that nobody knows. */
export const most: Answers = {
  ...least,
  "GET /csrf-token": { csrfToken: "c5f".padEnd(32, "0"), ttl: 60 },
  "POST /login": { success: true, message: null, data: {} },
  "PUT /login": { token, user, tempToken: null, requires2FA: false, status: null },
  "GET /account": {
    ...user,
    settings: { contentAccessEnabled: true, contentAccessAcknowledged: true, locale: "en", forwardTo: null },
    usage: { masks: { active: 1, total: null }, emails: { thisMonth: 4, forwarded: 3, blocked: 1 } },
    limits: { maxMasks: null, emailsPerMonth: 2_000, storageLimit: "20MB", historyRetention: "1 year" },
  },
  "PUT /account/profile": { email, user: null, message: null },
  "POST /account/2fa/verify": { success: true, recoveryCodes: null },
  "GET /keys/status": { status: "configured", fingerprint: null, message: null, algorithm: "x" },
  "POST /keys/setup": { success: true, data: { id: 1 } },
  "GET /keys": { publicKey: "key", privateKey: null },
  "GET /masks": { masks: [fullMask], total: 1, cached: false },
  "GET /masks/:id": fullMask,
  "POST /masks": { ...fullMask, id: 8 },
  "PUT /masks/:id": { ...fullMask, active: false },
  "DELETE /masks/:id": { success: true },
  "GET /masks/:id/stats": fullMask.statistics,
  "GET /ai/insights": {
    total: 4,
    thisMonth: 4,
    categoryBreakdown: { shopping: 3 },
    topCategories: [{ category: "shopping", count: 3, trend: "up" }],
    recentEmails: [],
    summaryStats: {
      promotionalEmails: 3,
      importantEmails: null,
      transactionalEmails: 1,
      newsletterEmails: 0,
    },
    suggestions: [
      {
        id: 3,
        actionKey: "tidy",
        title: "Tidy up",
        description: "Make a mask",
        type: "cleanup",
        category: "All",
        action: "createMask",
        actionText: "Create",
        status: 0,
        applied: false,
        maskName: null,
        forwardTo: null,
      },
    ],
    plan: { name: "pro", emailsLimit: 2_000 },
  },
  "POST /ai/insights": { success: true, message: null },
  "GET /ai/content-access": {
    contentAccessEnabled: true,
    contentAccessAcknowledged: true,
    contentAccessEligible: true,
    currentTier: "pro",
    features: { smartFiltering: true, contentCategorization: true },
    externalModel: null,
  },
  "PUT /ai/content-access": { success: true, settings: null },
  "GET /ai/preferences": { preferences: { features: { summaries: true } }, updatedAt: null },
  "PUT /ai/preferences": { message: "AI preferences updated" },
};

export interface AppOnTexts extends FakePorts {
  readonly app: TestApp;
  readonly signedIn: () => SignedIn;
  readonly stop: () => void;
}

interface AppOnTextsOptions extends FakePortOptions {
  readonly answers: Answers;
  readonly isSignedIn?: boolean;
}

/** Starts the app on a server that answers the calls of the specification, and none of ours. */
export const startOnTexts = async ({
  answers,
  isSignedIn = true,
  ...options
}: AppOnTextsOptions): Promise<AppOnTexts> => {
  const fakes = createFakePorts(options);
  for (const [call, answer] of Object.entries(answers)) {
    const [method, path = ""] = call.split(" ");
    if (answer !== undefined)
      fakes.server.on(method as "GET", path, answer === null ? { text: "OK" } : { json: answer });
  }
  if (isSignedIn) storeSession(fakes.storage, { token, user: createUser(email) });
  const { app, signedIn } = createTestApp(fakes.ports, {
    configuration: { brand: "Bauta", maskDomain: "masks.example" },
  });
  const stop = app.start();
  await settled();
  return { ...fakes, app, signedIn, stop };
};
