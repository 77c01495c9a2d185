import { pino } from "pino";
import { Registry } from "prom-client";
import { EMPTY } from "rxjs";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import { defaultRepliesPerDay } from "../../../core/tiers/tier.ts";
import type { FreshMails } from "../../../server/delivery/delivery.ts";
import { createPrepareStep, createSealDetail } from "../../../server/delivery/mailLog/sealDetail.ts";
import type { KeptSpace } from "../../../server/delivery/queue/keptSpace.ts";
import { rowBodies } from "../../../server/delivery/queue/rowBodies.ts";
import { createReceivedLog } from "../../../server/features/mailLog/receivedLog.ts";
import { createSentLog } from "../../../server/features/mailLog/sentLog.ts";
import { createDnsClient } from "../../../server/platform/dns/dnsClient.ts";
import { runKeyTask } from "../../../server/platform/openpgp/keyTask.ts";
import { noTracing } from "../../../server/platform/ops/tracing.ts";
import { createOwnRates } from "../../../server/platform/rates/rates.ts";
import type { Database } from "../../../server/platform/store/database.ts";
import { GroupCommit } from "../../../server/platform/store/groupCommit.ts";
import { createRelayMetrics } from "../../../server/relay/metrics/relayMetrics.ts";
import {
  createMailReceiver,
  type MailReceiver,
  type MailReceiverDeps,
} from "../../../server/relay/receive/mailReceiver.ts";
import { spoolBytes } from "../../../server/smtp/smtpLimits.ts";
import { createSmtpServer, type SmtpServer, type SmtpServerDeps } from "../../../server/smtp/smtpServer.ts";
import { createVirtualClock, type VirtualClock } from "../../fakes/virtualClock.ts";
import { refuseBystander } from "../../support/bystanderMarker.ts";
import { current } from "../../support/current.ts";
import { named } from "../../support/domainNames.ts";
import { createMemory } from "./memoryContent.ts";
import { secrets } from "./secrets.ts";
import { sharedThreads } from "./sharedThreads.ts";
import { connectSmtp, type SmtpClient } from "./smtpClient.ts";

export const maskDomain = named("masks.example");

/** The address of the installation's page. */
export const publicUrl = "https://mail.example";

/** A log that keeps nothing; its lines are searched for the bystander. */
export const silent = pino(
  { level: "trace" },
  { write: (line: string) => refuseBystander("a line of the log", line) },
);

/** Leaves all mail to the queue. */
const fullMemory: FreshMails = { reserve: () => null, cancel: () => {}, add: () => {} };

/** SMTP server with the mail receiver; optional features are off unless a test sets them. */
export interface Listener extends SmtpServer {
  readonly commits: () => number;
  readonly outgoing: MailReceiver["outgoing"];
}

/** A store with room for all mail of a test. */
const roomySpace: KeptSpace = { free: async () => 100_000_000_000 };

export type ListenerOptions = Partial<
  MailReceiverDeps &
    Pick<SmtpServerDeps, "secureContext" | "port" | "beginContent" | "isBalancer" | "isTrusted">
> & {
  /** The system's resolver without it. */
  readonly dnsServer?: string | null;
};

export const createListener = ({
  database,
  clock,
  dnsServer = null,
  ...options
}: ListenerOptions & Pick<MailReceiverDeps, "database" | "clock">): Listener => {
  const { secureContext = () => null, port = 0, log = silent, rates = createOwnRates(clock.now) } = options;
  const memory = createMemory(spoolBytes);
  const group = options.group ?? new GroupCommit(database, { items: 200, weight: 64 * 1024 * 1024 });
  const seal = createSealDetail(database.engine, null);
  const receiver = createMailReceiver({
    maskDomain,
    publicUrl,
    postmaster: null,
    askDns: createDnsClient(dnsServer),
    trustedNetworks: ["loopback"],
    provenOnLoopback: null,
    isUnlimited: () => true,
    trustedSealers: [],
    rates,
    senderLimits: { perMinute: 60, perHour: 600, dailyShare: 25 },
    repliesPerDay: defaultRepliesPerDay,
    rspamdUrl: null,
    database,
    clock,
    group,
    fresh: fullMemory,
    bodies: rowBodies,
    keptSpace: roomySpace,
    random: cryptoRandom,
    log,
    tracing: noTracing,
    findEncryption: async () => null,
    keyPool: { run: (task) => runKeyTask(task) },
    receivedLog: createReceivedLog({ database, group, seal, clock, random: cryptoRandom }),
    prepareLastMails: async () => [],
    sentLog: createSentLog({ database, group, seal, clock, random: cryptoRandom }),
    prepareStep: createPrepareStep(database.engine, seal),
    countMails: async () => {},
    classifyMail: async () => null,
    createSampleSenders: () => () => {},
    secrets,
    changes$: EMPTY,
    metrics: createRelayMetrics(new Registry()),
    onQueued: () => {},
    createThreads: sharedThreads,
    ...options,
  });
  const { beginTransaction } = receiver;
  const server = createSmtpServer({
    name: maskDomain,
    host: "127.0.0.1",
    port,
    secureContext,
    clock,
    log,
    rates,
    beginTransaction,
    submission: null,
    startsWithTls: false,
    beginContent: options.beginContent ?? memory.beginContent,
    ...(options.isBalancer && { isBalancer: options.isBalancer }),
    ...(options.isTrusted && { isTrusted: options.isTrusted }),
  });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      await group.whenIdle();
      await receiver.stop();
    },
    commits: () => group.commits(),
    outgoing: receiver.outgoing,
  };
};

/** A listener on a free port; `close` also disconnects its clients. */
export interface RunningListener {
  readonly port: number;
  readonly listener: Listener;
  readonly clock: VirtualClock;
  readonly connect: (hello?: string, localAddress?: string) => Promise<SmtpClient>;
  readonly close: () => Promise<void>;
}

export const startListener = async (
  database: Database,
  clock: VirtualClock = createVirtualClock(),
  options: Omit<ListenerOptions, "database" | "clock"> = {},
): Promise<RunningListener> => {
  const listener = createListener({ ...options, database, clock });
  const { port } = await listener.start();
  const clients: SmtpClient[] = [];
  return {
    port,
    listener,
    clock,
    connect: async (hello, localAddress) => {
      const client = await connectSmtp(port, hello, localAddress);
      clients.push(client);
      return client;
    },
    close: async () => {
      for (const client of clients) client.destroy();
      await listener.stop();
    },
  };
};

/** Starts a listener on the database of each test of a `describe`. */
export const useListener = (database: () => Database): RunningListener => {
  let relay: RunningListener | undefined;
  beforeEach(async () => {
    relay = await startListener(database());
  });
  afterEach(() => relay?.close());
  return current(() => relay);
};
