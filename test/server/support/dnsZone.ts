import { type AskDns, DnsError } from "../../../server/platform/dns/dnsClient.ts";
import type { Zone } from "./dnsStub.ts";

/** Answers from a zone without a network or a clock; "silence" fails at once as a server that has not answered in time. */
export const createZoneClient =
  (zone: Zone): AskDns =>
  async (name, type) => {
    const known = zone[name.toLowerCase()];
    if (known === "silence") throw new DnsError("ETIMEOUT", name);
    const records = typeof known === "object" ? (known[type] ?? []) : (known ?? []);
    if (records === "SERVFAIL") throw new DnsError("ESERVFAIL", name);
    return {
      id: 0,
      isResponse: true,
      isTruncated: false,
      isAuthentic: false,
      code: known === undefined ? 3 : 0,
      question: { name, type },
      data: type === "TXT" ? records.map((record) => [record]) : records,
      ttl: 60,
    };
  };
