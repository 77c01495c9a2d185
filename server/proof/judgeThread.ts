import { createDnsCache, createMailLookup, type LookUpDns } from "../dns/dnsCache.ts";
import { createDnsClient } from "../dns/dnsClient.ts";
import { handleTasks } from "../workers/workerThread.ts";
import type { Evidence } from "./evidence.ts";
import type { JudgeTask } from "./judge.ts";
import { judgeSender } from "./judgeSender.ts";

const clock = { now: () => performance.now() };
const caches = new Map<string | null, LookUpDns>();

/** The cache lives as long as the thread. */
const cacheOf = (dnsServer: string | null): LookUpDns => {
  const cache = caches.get(dnsServer) ?? createDnsCache(createDnsClient(dnsServer), clock);
  caches.set(dnsServer, cache);
  return cache;
};

handleTasks(
  ({ content, envelope, dnsServer, ...options }: JudgeTask): Promise<Evidence> =>
    judgeSender(content, envelope, options, createMailLookup(cacheOf(dnsServer))),
);
