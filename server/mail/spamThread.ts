import { handleTasks } from "../workers/workerThread.ts";
import { authenticateSender, createDnsLookup } from "./senderAuthentication.ts";
import type { SpamCheckTask } from "./spamFilter.ts";
import type { Evidence } from "./spamScore.ts";

handleTasks(
  ({ content, envelope, host, dnsServer }: SpamCheckTask): Promise<Evidence> =>
    authenticateSender(content, envelope, host, createDnsLookup(dnsServer)),
);
