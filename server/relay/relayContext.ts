import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { FreshMails } from "../delivery/delivery.ts";
import type { PrepareStep, SealDetail } from "../delivery/mailLog/sealDetail.ts";
import type { BodyWriter } from "../delivery/queue/bodyStore.ts";
import type { Config } from "../platform/config/config.ts";
import type { IsInNetworks } from "../platform/dns/networkRanges.ts";
import type { Log } from "../platform/ops/log.ts";
import type { Tracing } from "../platform/ops/tracing.ts";
import type { Rates } from "../platform/rates/rates.ts";
import type { Database } from "../platform/store/database.ts";
import type { GroupCommit } from "../platform/store/groupCommit.ts";
import type { WorkerPool, WorkerPoolOptions } from "../platform/workers/workerPool.ts";
import type { Judge } from "../proof/judge.ts";
import type { EncryptionPool } from "./encrypt/encryptCopies.ts";
import type { KeptRoom } from "./limits/keptRoom.ts";
import type { Postmaster } from "./receive/postmaster.ts";
import type { WholeMails } from "./receive/wholeMails.ts";
import type { RelayMetrics } from "./relayMetrics.ts";

/** The settings that the way of a mail knows. */
export type RelayConfig = Pick<Config, "maskDomain" | "postmaster" | "senderLimits" | "rspamdUrl">;

/** The single things of a process that receive mail; features that have to do with mail use them too. */
export interface RelayContext {
  readonly config: RelayConfig;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly rates: Rates;
  readonly tracing: Pick<Tracing, "arrival">;
  /** Commits the mails with other pending writes. */
  readonly group: GroupCommit;
  /** Takes the content of new mail. */
  readonly bodies: BodyWriter;
  /** Delivers new mail from memory. */
  readonly fresh: FreshMails;
  /** Limits what is kept for an account. */
  readonly keptRoom: KeptRoom;
  /** The operator, who gets mail at each domain. */
  readonly postmaster: Postmaster;
  /** Encrypts what the log of mail keeps. */
  readonly sealDetail: SealDetail;
  readonly prepareStep: PrepareStep;
  /** The threads that encrypt mail and what is logged of it. */
  readonly encryptionPool: Pick<EncryptionPool, "run">;
  /** Checks the sender of a mail. */
  readonly judge: Judge;
  /** Checks the sender of a mail that may be an owner; the demo alone plays one on this machine. */
  readonly judgeOwner: Judge;
  /** True if mail from an address needs no sender authentication. */
  readonly isTrusted: IsInNetworks;
  /** Limits how many large mails are completely in memory. */
  readonly wholeMails: WholeMails;
  readonly metrics: RelayMetrics;
  /** Opens threads; they end when they are stopped. */
  readonly openThreads: <Task, Result>(options: WorkerPoolOptions) => WorkerPool<Task, Result>;
  /** Called after something was stored; `isWaiting` means that the delivery must read the queue. */
  readonly onQueued: (isWaiting: boolean) => void;
}
