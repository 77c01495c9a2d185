import { createMailThreads, type MailThreads } from "../../../server/mail/mailThreads.ts";
import type { JudgeOptions } from "../../../server/proof/judgeSender.ts";

const shared = new Map<string, MailThreads>();

/**
 * Returns the threads for a receiver of mail. All tests of a process share those of the same options: to start them takes
 * longer than most tests. They end with the process.
 */
export const sharedThreads = (options: JudgeOptions): MailThreads => {
  const key = JSON.stringify(options);
  const threads = shared.get(key) ?? createMailThreads(options);
  shared.set(key, threads);
  return { ...threads, stop: async () => {} };
};
