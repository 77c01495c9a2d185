import type { Tier } from "../../core/tiers/tier.ts";
import { makeBilling } from "../billing/billing.ts";
import { makeOnce } from "../http/once.ts";
import { makeAuthenticate } from "../identity/authenticate.ts";
import { makeCookies } from "../identity/cookies.ts";
import { makeCsrf } from "../identity/csrf.ts";
import { makeKeyedHash } from "../identity/keyedHash.ts";
import { makeLetIn } from "../identity/letIn.ts";
import { makeSessions } from "../identity/sessions.ts";
import { makeSessionTokens } from "../identity/sessionToken.ts";
import { makeUserNotifications } from "../notifications/userNotifications.ts";
import { makeSeal } from "../seal.ts";
import { makeNotice } from "../twoFactor/notice.ts";
import { makeTakeFactor } from "../twoFactor/secondFactor.ts";
import type { SiteParts } from "./siteParts.ts";

const billingOf = (parts: SiteParts, everybodys: Tier) => {
  const { config, provider, log } = parts;
  const failed = (reason: string): void => log.warn({ reason }, "the payment provider failed");
  return config.billing && provider
    ? makeBilling({ ...parts, config: config.billing, provider, everybodys, failed })
    : null;
};

/** Makes what the routes stand on: who is calling, what they may, and how they are told. */
export const makeGround = (parts: SiteParts) => {
  const { config, secrets, database, clock, random, feed, delivery, patterns } = parts;
  const { brand, maskDomain, publicUrl } = config;
  const sender = { brand, maskDomain, publicUrl };
  const hash = makeKeyedHash(secrets.hashing);
  const seal = makeSeal(secrets.sealing, random);
  const cookies = makeCookies(publicUrl);
  const tokens = makeSessionTokens(secrets.signing);
  const sessions = makeSessions({ database, tokens, hash, clock, random, feed });
  const csrf = makeCsrf(hash, cookies, random);
  const everybodys = config.defaultTier ?? "free";
  return {
    ...{ brand, maskDomain, sender, database, clock, random, feed, delivery, patterns },
    ...{ hash, seal, cookies, tokens, sessions, csrf, everybodys },
    billing: billingOf(parts, everybodys),
    door: {
      authenticate: makeAuthenticate(sessions, cookies, csrf),
      once: makeOnce(database, clock, seal),
    },
    letIn: makeLetIn(cookies, csrf),
    notice: makeNotice({ clock, random, sender }),
    takeFactor: makeTakeFactor({ hash, seal }),
    notifications: makeUserNotifications({ database, clock, feed }),
  };
};

export type Ground = ReturnType<typeof makeGround>;
