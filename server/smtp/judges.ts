import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Decision } from "../../core/relay/decision.ts";
import { type CategoryOf, unclassified } from "../classification/categoryOf.ts";
import {
  type CheckSender,
  makeSampleSenders,
  type NoteVerdict,
  type SampleSenders,
} from "../insights/sampleSenders.ts";
import { judgeThreads, makeJudge, type Reading } from "../relay/judge.ts";
import type { PassageParts } from "../relay/passages.ts";
import type { Evidence } from "../spam/evidence.ts";
import { makeRspamd } from "../spam/rspamd.ts";
import { type Check, makeSpamFilter, spamThreads } from "../spam/spamFilter.ts";
import type { Database } from "../store/database.ts";
import { confirmedAddresses } from "../store/destinations.ts";
import { historyOf } from "../store/statistics.ts";
import { makeWorkerPool } from "../workers/workerPool.ts";

export interface JudgeParts {
  readonly settings: {
    readonly maskDomain: string;
    readonly dnsServer?: string | null;
    readonly rspamdUrl?: string | null;
  };
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly categoryOf?: CategoryOf;
  readonly noteVerdict?: NoteVerdict;
}

/** Those who look at a mail before it is queued, and after. */
export interface Judges {
  readonly passing: PassageParts;
  readonly sampled: SampleSenders;
  /** Ends their threads. */
  readonly stop: () => Promise<void>;
}

/** Makes those who look at mail: rules, spam filter and classifier, what takes long in threads. */
export const makeJudges = (parts: JudgeParts): Judges => {
  const { settings, database, clock, random, noteVerdict: note } = parts;
  const { maskDomain: host, dnsServer = null, rspamdUrl = null } = settings;
  const pool = makeWorkerPool<Reading, readonly Decision[]>(judgeThreads);
  const spamPool = makeWorkerPool<Check, Evidence>(spamThreads);
  const rspamd = rspamdUrl === null ? null : makeRspamd(rspamdUrl);
  const check: CheckSender = (content, envelope, owner) =>
    spamPool.run({ content, envelope, host, dnsServer }, owner);
  return {
    passing: {
      judge: makeJudge(pool),
      judgeSpam: makeSpamFilter({ pool: spamPool, host, dnsServer, rspamd }),
      maskDomain: host,
      random,
      confirmedOf: (userId) => confirmedAddresses(database.db, userId),
      historyOf: (maskId, month) => historyOf(database.db, maskId, month),
      categoryOf: parts.categoryOf ?? unclassified,
    },
    sampled: note ? makeSampleSenders({ check, note, clock }) : () => {},
    stop: async () => {
      await pool.stop();
      await spamPool.stop();
    },
  };
};
