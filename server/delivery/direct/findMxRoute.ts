import { type DomainName, isNameOf, toDomainName } from "../../../core/mail/domainName.ts";
import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { LookUpDns } from "../../platform/dns/dnsCache.ts";
import type { DeliveryOutcome, Transport } from "../transport.ts";
import { isUsableTlsa, parseTlsa } from "./dane.ts";
import type { DomainLimits } from "./domainLimits.ts";
import { dnsFailure, type FoundServer, type FoundServers, lookUpRecords } from "./findServers.ts";
import type { MailServer, MxRoute, TlsRule } from "./mxRoute.ts";
import type { ProviderLimits } from "./providerLimits.ts";
import { providerOf } from "./providers.ts";
import { isInPolicy, type TlsPolicies } from "./tlsPolicies.ts";
import type { TlsPolicy } from "./tlsPolicyQueries.ts";
import type { TlsAttempt, TlsSession } from "./tlsSessions.ts";

export interface FindMxRouteDeps {
  readonly findServers: (domain: string) => Promise<FoundServers>;
  readonly tlsPolicies: TlsPolicies;
  readonly lookUp: LookUpDns;
  /** True if the resolver is believed when it says that DNSSEC protects an answer. */
  readonly isResolverTrusted: boolean;
  readonly port: number;
  /** The masks' domain and this server's own listener, which takes mail from one mask to another. */
  readonly own: { readonly domain: DomainName; readonly address: string; readonly port: number };
  readonly onSession: (session: TlsSession) => void;
}

/** The servers of a domain, or the result for mail to it. */
export type FoundMxRoute = { readonly kind: "found"; readonly mxRoute: MxRoute } | DeliveryOutcome;

const unusable = "unusable";
const opportunistic: TlsRule = { kind: "opportunistic" };

const temporary = (answer: string): DeliveryOutcome => ({ kind: "temporary", answer, isUnreachable: true });

/** Creates the search for the route of mail to a domain; it never rejects. */
export const createFindMxRoute = (deps: FindMxRouteDeps): ((domain: string) => Promise<FoundMxRoute>) => {
  const { findServers, tlsPolicies, lookUp, isResolverTrusted, port, own, onSession } = deps;

  /**
   * Returns the names of a server that may have TLSA records, the preferred one first (RFC 7672, 2.2.2): the target of an
   * alias, and the alias itself, alone where DNSSEC protects it and not its target.
   */
  const daneNames = async (server: FoundServer): Promise<readonly string[] | typeof unusable> => {
    const { name, isNameAuthentic, isAuthentic, target } = server;
    if (!isResolverTrusted || !isNameAuthentic) return [];
    if (isAuthentic) return target === null ? [name] : [target, name];
    if (target === null) return [];
    const alias = await lookUpRecords(lookUp, name, "CNAME");
    if (alias.kind === "failed") return unusable;
    return alias.kind === "found" && alias.isAuthentic ? [name] : [];
  };

  /** Returns the rule of a server with TLSA records; `unusable` when DNS does not answer (RFC 7672, 2.1.2). */
  const daneRule = async (server: FoundServer, domain: string): Promise<TlsRule | null | typeof unusable> => {
    const names = await daneNames(server);
    if (names === unusable) return unusable;
    for (const name of names) {
      const found = await lookUpRecords(lookUp, `_${port}._tcp.${name}`, "TLSA");
      if (found.kind === "failed") return unusable;
      if (found.kind !== "found" || !found.isAuthentic) continue;
      const records = (found.data as readonly Uint8Array[])
        .map(parseTlsa)
        .filter((record) => record !== null)
        .filter(isUsableTlsa);
      return { kind: "dane", records, names: [name, domain] };
    }
    return null;
  };

  const policyRule = (policy: TlsPolicy | null, name: string): TlsRule | typeof unusable => {
    if (policy === null || policy.mode === "none") return opportunistic;
    const isNamed = isInPolicy(policy, name);
    if (!isNamed) onSession({ policy: "sts", result: "validation-failure" });
    if (policy.mode === "testing") return { kind: "policy", isEnforced: false };
    return isNamed ? { kind: "policy", isEnforced: true } : unusable;
  };

  /** DANE goes before the policy, but a policy still says which servers there are (RFC 8461, 2). */
  const ruleOf = async (
    server: FoundServer,
    domain: string,
    policy: TlsPolicy | null,
  ): Promise<TlsRule | typeof unusable> => {
    const byPolicy = policyRule(policy, server.name);
    return byPolicy === unusable ? unusable : ((await daneRule(server, domain)) ?? byPolicy);
  };

  return async (recipientDomain) => {
    // A host that is no domain, such as one with "_", may have a mail server as well.
    const domain = toDomainName(recipientDomain) ?? recipientDomain.toLowerCase();
    if (isNameOf(domain, own.domain)) {
      const server = { name: domain, addresses: [own.address], port: own.port, tls: opportunistic };
      return { kind: "found", mxRoute: { servers: [server] } };
    }
    // A policy is published in DNS, which has no names of literals.
    const policyOf = domain.startsWith("[") ? async () => null : tlsPolicies.find;
    const [found, policy] = await Promise.all([findServers(domain), policyOf(domain)]);
    if (found.kind !== "found") return found;
    const rules = await Promise.all(found.servers.map((server) => ruleOf(server, domain, policy)));
    const servers = found.servers.flatMap(({ name, addresses }, index): MailServer[] => {
      const tls = rules[index];
      return tls === undefined || tls === unusable ? [] : [{ name, addresses, port, tls }];
    });
    if (servers.length > 0) return { kind: "found", mxRoute: { servers } };
    return policy?.mode === "enforce" && found.servers.every(({ name }) => !isInPolicy(policy, name))
      ? temporary("451 4.7.5 No mail server of the domain is in its policy (MTA-STS)")
      : dnsFailure;
  };
};

export interface DirectDeliveryDeps {
  readonly findMxRoute: (domain: string) => Promise<FoundMxRoute>;
  readonly limits: DomainLimits;
  readonly providerLimits: Pick<ProviderLimits, "run">;
  /** Called with the protection of the connections for a user's mail to a domain, where the transport reports it. */
  readonly onTls?: (domain: string, attempts: readonly TlsAttempt[]) => void;
  /** Signs mail and sends it along its route. */
  readonly transport: Transport;
}

/**
 * Creates the transport that sends mail to the mail servers of its recipients, within the limits of each domain and of
 * the large provider that takes its mail.
 */
export const createDirectDelivery = (deps: DirectDeliveryDeps): Transport => {
  const { findMxRoute, limits, providerLimits, transport } = deps;
  return {
    send: (mail) => {
      const domain = domainOf(mail.recipient).toLowerCase();
      return limits.run(domain, mail.size, async () => {
        const found = await findMxRoute(domain);
        if (found.kind !== "found") return found;
        const { mxRoute } = found;
        const provider = providerOf(mxRoute);
        const isSystemMail = (mail.userId ?? null) === null;
        const send = async (): Promise<DeliveryOutcome> => {
          const outcome = await transport.send({ ...mail, mxRoute });
          // Reports are system mail: what brings one is not reported on the next day.
          if (outcome.kind !== "postponed" && outcome.tls && !isSystemMail) deps.onTls?.(domain, outcome.tls);
          return outcome;
        };
        return provider ? providerLimits.run(provider, { id: mail.id, isSystemMail }, send) : send();
      });
    },
    abort: transport.abort,
  };
};
