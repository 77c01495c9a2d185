import { pino } from "pino";
import { defaultRepliesPerDay } from "../../../core/tiers/tier.ts";
import { createServerFeatures } from "../../../server/app/features.ts";
import type { ServerConfig, ServerContext } from "../../../server/context/serverContext.ts";
import type { OutgoingMail } from "../../../server/features/replies/submitMail.ts";
import type { Secrets } from "../../../server/platform/ops/secrets.ts";
import type { Database } from "../../../server/platform/store/database.ts";
import type { EventFeed } from "../../../server/platform/store/eventFeed.ts";
import { evaluationThreads } from "../../../server/relay/evaluate/evaluate.ts";
import type { MailPart } from "../../../server/relay/mailPart.ts";
import { createIntake, type Intake } from "../../../server/relay/receive/intake.ts";
import { createMailReceiver, type MailReceiverDeps } from "../../../server/relay/receive/mailReceiver.ts";
import type { RelayConfig } from "../../../server/relay/relayContext.ts";
import { spoolBytes } from "../../../server/smtp/smtpLimits.ts";
import { createSmtpServer, type SmtpServer, type SmtpServerDeps } from "../../../server/smtp/smtpServer.ts";
import { createVirtualClock, type VirtualClock } from "../../fakes/virtualClock.ts";
import { refuseBystander } from "../../support/bystanderMarker.ts";
import { current } from "../../support/current.ts";
import { named } from "../../support/domainNames.ts";
import { createMemory } from "./memoryContent.ts";
import { secrets } from "./secrets.ts";
import { createTestContext } from "./serverContext.ts";
import { connectSmtp, type SmtpClient } from "./smtpClient.ts";
import { createTestRelay, type TestRelayOptions } from "./testRelay.ts";

export const maskDomain = named("masks.example");

/** The address of the installation's page. */
export const publicUrl = "https://mail.example";

/** A log that keeps nothing; its lines are searched for the bystander. */
export const silent = pino(
  { level: "trace" },
  { write: (line: string) => refuseBystander("a line of the log", line) },
);

/** SMTP server with the mail receiver and the features behind it. */
export interface Listener extends SmtpServer {
  readonly commits: () => number;
  readonly outgoing: OutgoingMail;
  readonly intake: Intake;
}

export type ListenerOptions = Omit<TestRelayOptions, "database" | "clock" | "config"> &
  Partial<RelayConfig & Pick<ServerConfig, "publicUrl" | "repliesPerDay">> &
  Partial<Pick<SmtpServerDeps, "secureContext" | "port" | "beginContent" | "isBalancer">> &
  Partial<Pick<MailReceiverDeps, "findEncryption" | "isUnlimited">> & {
    readonly secrets?: Secrets;
    readonly feed?: EventFeed;
    readonly keyPool?: ServerContext["keyPool"];
    /** Parts after those of the features. */
    readonly parts?: readonly MailPart[];
    /** Whether the senders of mail that needs no check are sampled. */
    readonly samplesSenders?: boolean;
    /** Whether connections of an address are not limited by network. */
    readonly isTrustedClient?: SmtpServerDeps["isTrusted"];
  };

/** Leaves out the samples of senders, which ask DNS. */
const withoutSamples = (part: MailPart): MailPart => ({
  ...part,
  records: (part.records ?? []).map(({ stored: _, ...record }) => record),
});

export const createListener = async ({
  database,
  clock,
  secureContext = () => null,
  port = 0,
  findEncryption = async () => null,
  isUnlimited = () => true,
  parts = [],
  samplesSenders = false,
  secrets: given = secrets,
  postmaster = null,
  ...options
}: ListenerOptions & Pick<TestRelayOptions, "database" | "clock">): Promise<Listener> => {
  const { log = silent, beginContent, isBalancer, isTrustedClient } = options;
  const config = {
    maskDomain: options.maskDomain ?? maskDomain,
    publicUrl: options.publicUrl ?? publicUrl,
    postmaster,
    senderLimits: options.senderLimits ?? { perMinute: 60, perHour: 600, dailyShare: 25 },
    rspamdUrl: options.rspamdUrl ?? null,
    repliesPerDay: options.repliesPerDay ?? defaultRepliesPerDay,
  };
  const relay = createTestRelay({ ...options, log, database, clock, config });
  const { rates, group } = relay;
  const context = createTestContext({
    database,
    clock,
    log,
    rates,
    relay,
    config,
    secrets: given,
    ...(options.feed && { feed: options.feed }),
    ...(options.keyPool && { keyPool: options.keyPool }),
  });
  const features = await createServerFeatures(context);
  const ofFeatures = features.all.flatMap(({ mail }) => mail ?? []);
  const beginTransaction = createMailReceiver({
    relay,
    parts: [...(samplesSenders ? ofFeatures : ofFeatures.map(withoutSamples)), ...parts],
    findEncryption,
    evaluationThreads: relay.openThreads(evaluationThreads),
    isUnlimited,
  });
  const begin = beginContent ?? createMemory(spoolBytes).beginContent;
  const server = createSmtpServer({
    name: config.maskDomain,
    host: "127.0.0.1",
    port,
    secureContext,
    clock,
    log,
    rates,
    beginTransaction,
    submission: null,
    startsWithTls: false,
    beginContent: begin,
    ...(isBalancer && { isBalancer }),
    ...(isTrustedClient && { isTrusted: isTrustedClient }),
  });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      await group.whenIdle();
    },
    commits: () => group.commits(),
    outgoing: features.replies.outgoing,
    intake: createIntake({ beginTransaction, beginContent: begin, clock, log }),
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
  const listener = await createListener({ ...options, database, clock });
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
