import type { BulkChange } from "../../core/bulk/bulkChange.ts";
import { changeLabels } from "../../core/labels/label.ts";
import type { Mask } from "../../core/masks/mask.ts";
import { everybody } from "../../core/senders/maskSenders.ts";
import type { Account, User } from "../../core/session/user.ts";
import { limitsOf, type Tier } from "../../core/tiers/tier.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";
import { type ProductApiTokens, serveApiTokens } from "./productApiTokens.ts";
import { serveAppPasswords } from "./productAppPasswords.ts";
import { serveCorrespondents } from "./productCorrespondents.ts";
import { serveDestinations } from "./productDestinations.ts";
import { type FakeDomains, serveDomains } from "./productDomains.ts";
import { type ProductIdentities, serveIdentities } from "./productIdentities.ts";
import { type ProductInsights, serveInsights } from "./productInsights.ts";
import { type ProductKeys, serveKeys } from "./productKeys.ts";
import { serveLabels } from "./productLabels.ts";
import { type ProductNotifications, serveNotifications } from "./productNotifications.ts";
import { serveProfile } from "./productProfile.ts";
import { type ProductProof, serveProof } from "./productProof.ts";
import { type ProductPush, servePush } from "./productPush.ts";
import { createProductRules, type ProductRules } from "./productRules.ts";
import { type ProductSessions, serveSessions } from "./productSessions.ts";
import { authenticatorCode, serveTwoFactor } from "./productTwoFactor.ts";
import { type ProductWebhooks, serveWebhooks } from "./productWebhooks.ts";
import { startsAt } from "./virtualClock.ts";

/** The code in every mail, the code of the authenticator, and a recovery code. */
export const rightCode = "123456";
export const rightTwoFactorCode = authenticatorCode;
export const rightRecoveryCode = "k3v9d-8m2qa";

/** A token with the three parts that a token must have. */
export const tokenOf = (email: string): string => `head.${Buffer.from(email).toString("base64url")}.tail`;

export const createUser = (email: string, more: Partial<User> = {}): User => ({
  id: `user-${email.split(/[.@]/, 1)[0]}`,
  email,
  keyStatus: "configured",
  subscription: { tier: "free", status: "active" },
  twoFactor: { enabled: false },
  created: "2026-01-05T10:00:00.000Z",
  ...more,
});

export const createMask = (id: string, more: Partial<Mask> = {}): Mask => ({
  id,
  description: `Mask ${id}`,
  maskEmail: `${id}@masks.example`,
  forwardTo: "ada@example.org",
  active: true,
  created: "2026-11-01T10:00:00.000Z",
  settings: { spamFilter: true, rules: [] },
  ...more,
});

const changedBy = (change: BulkChange, mask: Mask): Mask => {
  if (change.kind === "switch") return { ...mask, active: change.active };
  if (change.kind === "pin") return { ...mask, pinned: change.pinned };
  if (change.kind === "label") return { ...mask, labels: changeLabels(mask.labels ?? [], change) };
  if (change.kind === "move") return { ...mask, forwardTo: change.forwardTo };
  const { rules = [], ...settings } = mask.settings ?? {};
  const idOf = (rule: unknown): string => (rule as { id: string }).id;
  if (change.kind === "addRules")
    return { ...mask, settings: { ...settings, rules: [...rules, ...change.rules] } };
  if (change.kind === "removeRules")
    return {
      ...mask,
      settings: { ...settings, rules: rules.filter((rule) => !change.ids.includes(idOf(rule))) },
    };
  return mask;
};

/** An in-memory server of the whole API for one user; a test scripts other answers over it. */
export interface ProductServer {
  readonly masks: () => readonly Mask[];
  readonly setMasks: (masks: readonly Mask[]) => void;
  /** The rules for all masks. */
  readonly rules: Pick<ProductRules, "account" | "saveAccount">;
  /** Moves the user to another plan. */
  readonly setTier: (tier: Tier) => void;
  readonly insights: ProductInsights;
  readonly notifications: ProductNotifications;
  readonly identities: ProductIdentities;
  readonly sessions: ProductSessions;
  readonly apiTokens: ProductApiTokens;
  readonly push: ProductPush;
  readonly webhooks: ProductWebhooks;
  readonly keys: ProductKeys;
  readonly domains: FakeDomains;
  readonly proof: Pick<ProductProof, "lapse">;
  /** The token that is valid now. */
  readonly token: () => string;
  /** Expires the token; a refresh returns another. */
  readonly expireToken: () => void;
  /** Makes both the token and the cookie invalid. */
  readonly endSession: () => void;
}

export interface ProductServerOptions {
  readonly user?: User;
  readonly masks?: readonly Mask[];
  /** Whether the user's address has no account yet. */
  readonly isNew?: boolean;
}

const refusedWith = (status: number, message: string): Answer => ({ status, json: { message } });

const accountOf = (user: User, masks: readonly Mask[]): Account => {
  const limits = limitsOf[user.subscription.tier];
  return {
    ...user,
    usage: {
      masks: { active: masks.filter(({ active }) => active ?? true).length, total: masks.length },
      emails: { thisMonth: 0, forwarded: 0, blocked: 0 },
    },
    limits: {
      maxMasks: limits.masks,
      emailsPerMonth: limits.emailsPerMonth,
      storageLimit: limits.storage,
      historyRetention: limits.history,
    },
  };
};

export const serveProduct = (server: FakeHttp, options: ProductServerOptions = {}): ProductServer => {
  let user = options.user ?? createUser("ada@example.org");
  let masks = options.masks ?? [];
  const deleted = new Map<string, Mask>();
  const { email: firstEmail } = user;
  const rules = createProductRules();
  let createdCount = 0;
  let isOver = false;
  let refreshed = 0;
  let expired = -1;
  const token = (): string => tokenOf(refreshed === 0 ? firstEmail : `${firstEmail} ${refreshed}`);
  const signedIn = (): Answer => {
    isOver = false;
    return { json: { token: token(), user } };
  };
  const body = (request: ReceivedRequest): Record<string, unknown> => request.body as Record<string, unknown>;
  const authorised =
    (answer: (request: ReceivedRequest) => Answer) =>
    (request: ReceivedRequest): Answer =>
      request.headers["authorization"] === `Bearer ${token()}` && expired < refreshed && !isOver
        ? (proof.refusalOf(request) ?? answer(request))
        : refusedWith(401, "Invalid or expired token");
  const proof = serveProof(server, rightCode, () => [firstEmail, ...masks.map(({ forwardTo }) => forwardTo)]);
  const withMask = (answer: (mask: Mask, request: ReceivedRequest) => Answer) =>
    authorised((request) => {
      const mask = masks.find(({ id }) => id === request.params["id"]);
      return mask ? answer(mask, request) : refusedWith(404, "There is no such mask");
    });

  server.on("GET", "/csrf-token", { json: { csrfToken: "c5f".padEnd(32, "0") } });
  server.on("POST", "/login", { json: { message: "A code is on its way" } });
  server.on("PUT", "/login", (request) => {
    if (body(request)["otp"] !== rightCode) return refusedWith(401, "This code is wrong");
    if (options.isNew) return { json: { status: "plan_selection_required", tempToken: "ticket" } };
    return user.twoFactor.enabled ? { json: { requires2FA: true, tempToken: "ticket" } } : signedIn();
  });
  server.on("POST", "/login/link", (request) => {
    if (body(request)["token"] !== "right-link") return refusedWith(401, "This link was used");
    return user.twoFactor.enabled ? { json: { requires2FA: true, tempToken: "ticket" } } : signedIn();
  });
  server.on("POST", "/login/oidc/ticket", (request) => {
    const ticket = body(request)["ticket"];
    if (ticket === "unconnected") return { json: { status: "code_required", email: user.email } };
    if (ticket !== "right-ticket") return refusedWith(401, "This ticket was used");
    const { email } = user;
    if (options.isNew) return { json: { status: "plan_selection_required", tempToken: "ticket", email } };
    return user.twoFactor.enabled ? { json: { requires2FA: true, tempToken: "ticket", email } } : signedIn();
  });
  server.on("POST", "/login/verify2fa", (request) =>
    [rightTwoFactorCode, rightRecoveryCode].includes(String(body(request)["code"])) &&
    body(request)["tempToken"] === "ticket"
      ? signedIn()
      : refusedWith(401, "This code is wrong"),
  );
  server.on("POST", "/signup", (request) => {
    if (body(request)["tempToken"] !== "ticket") return refusedWith(401, "Please sign in again");
    user = { ...user, subscription: { tier: body(request)["tier"] as Tier, status: "active" } };
    return signedIn();
  });
  server.on("POST", "/logout", { json: {} });
  for (const path of ["/auth/refresh-token", "/refresh-token"])
    server.on("POST", path, () => {
      if (isOver) return refusedWith(401, "Invalid or expired token");
      refreshed += 1;
      return { json: { token: token() } };
    });
  server.on("POST", "/auth/set-token-cookie", { json: {} });
  server.on("POST", "/auth/clear-token", { json: {} });
  server.on(
    "GET",
    "/auth/validate-token",
    authorised(() => ({ json: {} })),
  );
  server.on(
    "GET",
    "/account",
    authorised(() => {
      const account = accountOf(user, masks);
      return { json: { ...account, settings: { ...account.settings, labelColors: labels.colors() } } };
    }),
  );
  server.on(
    "GET",
    "/masks",
    authorised(() => ({ json: { masks: masks.map(rules.shown) } })),
  );
  server.on(
    "POST",
    "/masks",
    authorised((request) => {
      const { requestId } = (body(request) as Partial<Mask>).metadata ?? {};
      const requested =
        requestId === undefined ? undefined : masks.find(({ metadata }) => metadata?.requestId === requestId);
      if (requested) return { json: requested };
      createdCount += 1;
      const mask = createMask(`new${createdCount}`, {
        created: new Date(startsAt + createdCount).toISOString(),
        ...(body(request) as Partial<Mask>),
      });
      masks = [...masks, mask];
      return { status: 201, json: mask };
    }),
  );
  server.on(
    "GET",
    "/masks/:id",
    withMask((mask) => ({ json: rules.shown(mask) })),
  );
  server.on(
    "GET",
    "/masks/:id/stats",
    withMask((mask) => ({
      json: mask.statistics ?? {
        totalReceived: 0,
        totalForwarded: 0,
        spamBlocked: 0,
        totalSent: 0,
        lastUsed: null,
      },
    })),
  );
  server.on(
    "PUT",
    "/masks/:id",
    withMask((mask, request) =>
      rules.once(request, () => {
        const edit = rules.merged(mask, body(request) as Partial<Mask>, request);
        const senders = edit.senders && { senders: { ...everybody, ...mask.senders, ...edit.senders } };
        const edited = { ...mask, ...edit, ...senders };
        masks = masks.map((other) => (other.id === mask.id ? edited : other));
        return { json: rules.shown(edited) };
      }),
    ),
  );
  server.on(
    "DELETE",
    "/masks/:id",
    withMask((mask) => {
      masks = masks.filter((other) => other !== mask);
      deleted.set(mask.id, mask);
      return { json: {} };
    }),
  );
  server.on(
    "POST",
    "/masks/:id/restore",
    authorised((request) => {
      const mask = deleted.get(request.path.split("/")[2] ?? "");
      if (mask === undefined) return { status: 404 };
      deleted.delete(mask.id);
      masks = [...masks, mask];
      return { json: rules.shown(mask) };
    }),
  );
  server.on(
    "POST",
    "/masks/bulk",
    authorised((request) => {
      const { ids, change } = request.body as { ids: readonly string[]; change: BulkChange };
      const results = ids.map((id) => {
        const mask = masks.find((one) => one.id === id) ?? deleted.get(id);
        if (mask === undefined) return { id, status: 404, message: "Mask not found" };
        masks = masks.filter((one) => one !== mask);
        deleted.delete(id);
        if (change.kind === "delete") deleted.set(id, mask);
        else masks = [...masks, changedBy(change, mask)];
        return { id, status: 200 };
      });
      return { json: { results } };
    }),
  );
  server.on(
    "GET",
    "/masks/trash",
    authorised(() => ({
      json: {
        masks: [...deleted.values()].map((mask) => ({
          ...mask,
          deleted: "2026-11-19T10:00:00.000Z",
          until: "2026-12-19T10:00:00.000Z",
        })),
      },
    })),
  );
  server.on(
    "DELETE",
    "/masks/trash/:id",
    authorised((request) =>
      deleted.delete(request.path.split("/")[3] ?? "") ? { json: {} } : { status: 404 },
    ),
  );
  server.on(
    "GET",
    "/rules",
    authorised(() => ({ json: rules.account() })),
  );
  server.on(
    "GET",
    "/rules/stats",
    authorised(() => ({ json: { rules: {} } })),
  );
  server.on(
    "PUT",
    "/rules/:place",
    authorised((request) =>
      rules.once(request, () => {
        const place = request.path.endsWith("before") ? "before" : "after";
        rules.saveAccount(place, body(request)["rules"] as unknown[], request);
        return { json: rules.account()[place] };
      }),
    ),
  );
  const labels = serveLabels(server, authorised, {
    masks: () => masks,
    setMasks: (next) => {
      masks = next;
    },
  });
  serveDestinations(server, authorised, {
    accountEmail: firstEmail,
    masks: () => masks,
    move: (from, to) => {
      masks = masks.map((mask) =>
        mask.forwardTo === from
          ? { ...mask, ...(to === null ? { active: false } : { forwardTo: to }) }
          : mask,
      );
    },
  });
  const owner = {
    user: () => user,
    setUser: (next: User) => {
      user = next;
    },
  };
  server.on(
    "GET",
    "/account/export",
    authorised(() => ({
      json: {
        format: "bauta-export",
        version: 1,
        exportedAt: new Date(startsAt).toISOString(),
        account: user,
        masks: masks.map((mask) => ({ ...mask, addresses: [mask.maskEmail] })),
        destinations: [],
        usage: [],
        notifications: [],
      },
    })),
  );
  server.on(
    "DELETE",
    "/account",
    authorised(() => ({ json: {} })),
  );
  serveAppPasswords(server, authorised);
  const noPasskeys = { passkeys: [], only: false, mayBeOnly: false };
  server.on(
    "GET",
    "/account/passkeys",
    authorised(() => ({ json: noPasskeys })),
  );
  const apiTokens = serveApiTokens(server, authorised);
  serveCorrespondents(server, authorised);
  serveTwoFactor(server, authorised, owner);
  serveProfile(server, authorised, owner, (from, to) => {
    masks = masks.map((mask) => (mask.forwardTo === from ? { ...mask, forwardTo: to } : mask));
  });
  return {
    insights: serveInsights(server, authorised, () => user),
    notifications: serveNotifications(server, authorised),
    identities: serveIdentities(server, authorised),
    sessions: serveSessions(server, authorised, { revokeTokens: () => apiTokens.set([]) }),
    apiTokens,
    push: servePush(server, authorised),
    webhooks: serveWebhooks(server, authorised),
    keys: serveKeys(server, authorised, owner),
    rules,
    proof,
    domains: serveDomains(server, authorised),
    masks: () => masks,
    setMasks: (next) => {
      masks = next;
    },
    setTier: (tier) => {
      user = { ...user, subscription: { ...user.subscription, tier } };
    },
    token,
    expireToken: () => {
      expired = refreshed;
    },
    endSession: () => {
      isOver = true;
    },
  };
};
