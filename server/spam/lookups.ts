import { Resolver } from "node:dns/promises";

/** Answers one DNS question as mailauth asks it: domain and record type. */
export type Lookup = (domain: string, type: string) => Promise<string[] | string[][]>;

/** How long one server is waited for, and how often it is asked. */
const answerWithinMs = 1_500;
const tries = 2;

/** How many questions one mail may cause: SPF needs 10 at most (RFC 7208, 4.6.4), each signature one. */
const mostLookups = 60;

/** All lookups of one mail together, so that mail is not kept waiting by somebody's slow name server. */
const lookupsWithinMs = 4_000;

const tooLate = (): Error => Object.assign(new Error("DNS has no answer in time"), { code: "ETIMEOUT" });

/** Makes the resolver of one mail: what takes too long, or is asked too often, counts as no answer for now. */
export const makeLookup = (dnsServer: string | null, withinMs = lookupsWithinMs): Lookup => {
  const resolver = new Resolver({ timeout: answerWithinMs, tries });
  if (dnsServer !== null) resolver.setServers([dnsServer]);
  const until = performance.now() + withinMs;
  let asked = 0;
  return async (domain, type) => {
    asked += 1;
    const left = until - performance.now();
    if (left <= 0 || asked > mostLookups) throw tooLate();
    let patience: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      patience = setTimeout(() => reject(tooLate()), left);
    });
    try {
      return (await Promise.race([resolver.resolve(domain, type), late])) as string[] | string[][];
    } finally {
      clearTimeout(patience);
    }
  };
};
