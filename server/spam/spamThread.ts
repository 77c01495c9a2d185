import { answerTasks } from "../workers/answerTasks.ts";
import { authenticate } from "./authenticate.ts";
import type { Evidence } from "./evidence.ts";
import { makeLookup } from "./lookups.ts";
import type { Check } from "./spamFilter.ts";

answerTasks(
  ({ content, envelope, host, dnsServer }: Check): Promise<Evidence> =>
    authenticate(content, envelope, host, makeLookup(dnsServer)),
);
