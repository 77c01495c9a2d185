import { resolvePolicy, validateMx } from "mailauth/lib/mta-sts.js";
import { dayMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Db } from "../../platform/store/database.ts";
import { fetchPolicy as fetchByHttps, PolicyError, type Resolve } from "./mtaStsPolicy.ts";
import { readPolicy, type TlsPolicy, writePolicy } from "./tlsPolicyQueries.ts";
import type { TlsResult } from "./tlsSessions.ts";

export interface TlsPoliciesDeps {
  readonly db: Db;
  readonly resolve: Resolve;
  readonly clock: Pick<Clock, "now">;
  readonly onFailed: (result: TlsResult, domain: string) => void;
  /** Fetches a policy; rejects when there is none. */
  readonly fetchPolicy?: typeof fetchByHttps;
}

export interface TlsPolicies {
  /** Returns the policy of a domain in lower case and ASCII; null without one. Never rejects. */
  readonly find: (domain: string) => Promise<TlsPolicy | null>;
}

/** A policy is fetched again after this time even when its id is the same, so that it never ends while it is used. */
const renewAfterMs = dayMs;
/** A failed fetch is not repeated before. */
const failureMs = 5 * minuteMs;
const maxKnown = 10_000;

/** True if a mail server is one that the policy names. */
export const isInPolicy = ({ mode, servers }: TlsPolicy, server: string): boolean =>
  validateMx(server, { mode, mx: [...servers] }).valid;

/**
 * Creates the policies of domains. A policy is stored until it ends, so that neither missing records nor an
 * unreachable host make a domain less protected than before.
 */
export const createTlsPolicies = (deps: TlsPoliciesDeps): TlsPolicies => {
  const { db, resolve, clock, onFailed, fetchPolicy = fetchByHttps } = deps;
  const known = new Map<string, TlsPolicy | null>();
  const failedAt = new Map<string, number>();
  const searches = new Map<string, Promise<TlsPolicy | null>>();

  const recall = async (domain: string): Promise<TlsPolicy | null> => {
    const cached = known.get(domain);
    const policy = cached === undefined ? await readPolicy(db, domain, clock.now()) : cached;
    if (known.size >= maxKnown) known.clear();
    known.set(domain, policy);
    return policy && policy.expiresAt > clock.now() ? policy : null;
  };

  const fetchNew = async (domain: string, id: string): Promise<TlsPolicy> => {
    const { mode, mx, maxAge } = await fetchPolicy(domain, resolve);
    const now = clock.now();
    return { id, mode, servers: mx, fetchedAt: now, expiresAt: now + maxAge * 1_000 };
  };

  const isFailing = (domain: string): boolean =>
    clock.now() < (failedAt.get(domain) ?? Number.NEGATIVE_INFINITY) + failureMs;

  const noteFailure = (domain: string, error: unknown): void => {
    if (failedAt.size >= maxKnown) failedAt.clear();
    failedAt.set(domain, clock.now());
    const isInvalid = error instanceof PolicyError && error.isInvalid;
    onFailed(isInvalid ? "sts-policy-invalid" : "sts-policy-fetch-error", domain);
  };

  const search = async (domain: string): Promise<TlsPolicy | null> => {
    const policy = await recall(domain);
    const id = await resolvePolicy(domain, { strict: true, resolver: resolve }).catch(() => false as const);
    const isCurrent = policy !== null && policy.id === id && clock.now() < policy.fetchedAt + renewAfterMs;
    if (id === false || isCurrent || isFailing(domain)) return policy;
    try {
      const fresh = await fetchNew(domain, id);
      failedAt.delete(domain);
      known.set(domain, fresh);
      await writePolicy(db, domain, fresh);
      return fresh;
    } catch (error) {
      noteFailure(domain, error);
      return policy;
    }
  };

  return {
    find: (domain) => {
      const running = searches.get(domain);
      if (running) return running;
      const found = search(domain)
        .catch(() => known.get(domain) ?? null)
        .finally(() => searches.delete(domain));
      searches.set(domain, found);
      return found;
    },
  };
};
