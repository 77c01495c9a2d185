import { Registry } from "@prometheus-io/client";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import {
  createPrepareStep,
  createSealDetail,
  type PrepareStep,
  type SealDetail,
} from "../delivery/mailLog/sealDetail.ts";
import { createBackupBodies } from "../delivery/queue/backupBodies.ts";
import type { BodyStore } from "../delivery/queue/bodyStore.ts";
import { createFileBodies } from "../delivery/queue/fileBodies.ts";
import { createKeptSpace, type KeptSpace } from "../delivery/queue/keptSpace.ts";
import { createObjectBodies, createObjectReader } from "../delivery/queue/objectBodies.ts";
import { newestBackupAt } from "../platform/backup/newestBackup.ts";
import { backupFolder, openStore } from "../platform/backup/openStore.ts";
import { createUpdateBackup } from "../platform/backup/updateBackup.ts";
import { createTls, type Tls } from "../platform/certificates/tls.ts";
import type { Config } from "../platform/config/config.ts";
import { SettingError } from "../platform/config/settings.ts";
import type { AskDns } from "../platform/dns/dnsClient.ts";
import { openInstallation } from "../platform/installation/installationMark.ts";
import { createCountDns } from "../platform/metrics/dnsMetrics.ts";
import { measureMachine } from "../platform/metrics/machineMetrics.ts";
import { createStoreMetrics } from "../platform/metrics/storeMetrics.ts";
import { checkObjectStore } from "../platform/objects/checkObjectStore.ts";
import type { S3Place } from "../platform/objects/s3Client.ts";
import { type WatchedObjects, watchObjects } from "../platform/objects/watchedObjects.ts";
import type { FoundKey, FoundKeyRefusal } from "../platform/openpgp/foundKey.ts";
import type { KeyTask } from "../platform/openpgp/keyTask.ts";
import { type KeyPool, keyThreads } from "../platform/openpgp/keyThreads.ts";
import { createDiskReserve, type DiskReserve } from "../platform/ops/diskReserve.ts";
import { createKeyedHash } from "../platform/ops/keyedHash.ts";
import { createLog, type Log } from "../platform/ops/log.ts";
import { createSeal, type Seal, type Secrets } from "../platform/ops/secrets.ts";
import type { Tracing } from "../platform/ops/tracing.ts";
import { createPostgresqlRates } from "../platform/rates/postgresqlRates.ts";
import { createOwnRates, type Rates } from "../platform/rates/rates.ts";
import { SharedRates } from "../platform/rates/sharedRates.ts";
import { createSpool, type SpoolFolder } from "../platform/spool/spoolFile.ts";
import type { Database } from "../platform/store/database.ts";
import { EventFeed } from "../platform/store/eventFeed.ts";
import { GroupCommit } from "../platform/store/groupCommit.ts";
import { WorkerPool } from "../platform/workers/workerPool.ts";
import { DkimKeys } from "../proof/dkimRotation.ts";
import { encryptionThreads } from "../relay/encrypt/encryptCopies.ts";
import type { EncryptionTask } from "../relay/encrypt/pgpMime.ts";

/** Mails and bytes of one commit. */
const commitSize = { items: 200, weight: 64 * 1024 * 1024 };

/** The place where the parts of a process add their metrics. */
interface ResourceMetrics {
  readonly registry: Registry;
  /** Counts the queries of a DNS client. */
  readonly countDns: (ask: AskDns) => AskDns;
}

/** The resources that the ways of a mail and the features use. */
export interface Resources {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: ResourceMetrics;
  readonly tracing: Tracing;
  readonly tls: Tls;
  readonly database: Database;
  readonly feed: EventFeed;
  readonly rates: Rates;
  /** Begins to share the rates with other processes, where there may be some; returns what ends it. */
  readonly startRates: () => () => void;
  readonly secrets: Secrets;
  readonly seal: Seal;
  readonly dkimKeys: DkimKeys;
  /** Commits the mails and results that wait. */
  readonly group: GroupCommit;
  readonly reserve: DiskReserve;
  /** The space for mail that is kept for its owners. */
  readonly keptSpace: KeptSpace;
  /** The files of mail while it arrives. */
  readonly spool: SpoolFolder;
  /** The content of queued mail. */
  readonly bodies: BodyStore;
  /** null where the content of queued mail is not in an object store. */
  readonly objects: { readonly check: WatchedObjects["check"]; readonly close: () => Promise<void> } | null;
  /** The threads that encrypt mail and what is logged of it. */
  readonly encryptionPool: WorkerPool<EncryptionTask, Uint8Array | null>;
  /** The thread that examines keys of strangers. */
  readonly keyPool: KeyPool;
  readonly sealDetail: SealDetail;
  readonly prepareStep: PrepareStep;
}

/** Opens the object store of the configuration; throws a `SettingError` when it cannot be used. */
const openObjects = async (
  place: S3Place,
  { registry, clock }: { readonly registry: Registry; readonly clock: Clock },
): Promise<WatchedObjects> => {
  const { S3Client } = await import("../platform/objects/s3Client.ts");
  const objects = new S3Client(place);
  const { bucket, prefix, endpoint } = place;
  await checkObjectStore(objects).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : "";
    throw new SettingError(
      `BODY_STORE is the bucket ${bucket} at ${endpoint}${prefix && ` with the prefix ${prefix}`}; expected one that BODY_STORE_ACCESS_KEY may write, read, list and delete in (${reason}).`,
    );
  });
  return watchObjects(objects, { registry, clock });
};

/** Opens the log, the certificates, the store, the keys and the threads of a process. */
export const openResources = async (
  config: Config,
  { clock, random, tracing }: Pick<Resources, "clock" | "random" | "tracing">,
): Promise<Resources> => {
  const { dataDir, maskDomain } = config;
  const log = createLog(config.logLevel);
  const tls = await createTls(config, { clock, log });
  const registry = new Registry();
  const storeMetrics = createStoreMetrics(registry);
  measureMachine(registry, {
    certificateEnd: tls.validUntil,
    newestBackup: () => newestBackupAt(backupFolder(dataDir)),
  });
  const objects = config.bodyStore && (await openObjects(config.bodyStore, { registry, clock }));
  const backupBodies =
    objects && createBackupBodies(createObjectReader({ objects, onDamaged: objects.countDamaged }));
  const opened = await openStore(
    config,
    { clock, random, report: (line) => log.warn(line), onReadAside: storeMetrics.onReadAside },
    { beforeMigrating: createUpdateBackup(dataDir, clock.now, backupBodies?.replaceRow) },
  );
  const database = storeMetrics.watch(opened);
  const feed = new EventFeed(database, clock);
  const secrets = await openInstallation(opened.db, config).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  const seal = createSeal(secrets.sealing, random);
  const sharedRates =
    database.engine.name === "sqlite"
      ? null
      : new SharedRates({
          exchange: createPostgresqlRates(database, clock),
          hash: createKeyedHash(secrets.hashing),
          clock,
          log,
        });
  const reserve = createDiskReserve({ dataDir, clock, log });
  const encryptionPool = new WorkerPool<EncryptionTask, Uint8Array | null>(encryptionThreads);
  const spool = createSpool(dataDir, database.engine.name === "sqlite", reserve);
  const inObjects =
    objects && createObjectBodies({ objects, onDamaged: objects.countDamaged, database, clock, log });
  const sealDetail = createSealDetail(database.engine, encryptionPool);
  return {
    config,
    clock,
    random,
    log,
    metrics: { registry, countDns: createCountDns(registry) },
    tracing,
    tls,
    database,
    feed,
    rates: sharedRates ?? createOwnRates(clock.now),
    startRates: sharedRates?.start ?? (() => () => {}),
    secrets,
    seal,
    dkimKeys: new DkimKeys({ database, seal, clock, domain: maskDomain }),
    group: new GroupCommit(database, commitSize, storeMetrics.onCommit),
    reserve,
    keptSpace: createKeptSpace({ database, reserve, clock, keptMail: config.keptMail }),
    spool,
    bodies: inObjects ?? createFileBodies(database, spool),
    objects: objects && inObjects && { check: objects.check, close: inObjects.close },
    encryptionPool,
    keyPool: new WorkerPool<KeyTask, FoundKey | FoundKeyRefusal>(keyThreads),
    sealDetail,
    prepareStep: createPrepareStep(database.engine, sealDetail),
  };
};
