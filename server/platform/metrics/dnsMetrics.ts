import type { Registry } from "@prometheus-io/client";
import { type AskDns, DnsError } from "../dns/dnsClient.ts";
import { createLabelledCounter } from "./labelledCounter.ts";

/** Creates the function that counts the queries of a DNS client; one for all clients of a process. */
export const createCountDns = (registry: Registry): ((ask: AskDns) => AskDns) => {
  const count = createLabelledCounter(registry, {
    name: "bauta_dns_queries_total",
    help: "DNS queries that were not in the cache, by result: an answer, none in time, or a resolver that fails.",
    label: "result",
    values: ["answered", "timeout", "failed"],
  });
  return (ask) => async (name, type) => {
    try {
      const answer = await ask(name, type);
      count("answered");
      return answer;
    } catch (error) {
      const isName = error instanceof DnsError && error.code === "EBADNAME";
      if (!isName) count(error instanceof DnsError && error.code === "ETIMEOUT" ? "timeout" : "failed");
      throw error;
    }
  };
};
