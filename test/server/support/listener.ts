import { pino } from "pino";
import { cryptoRandom } from "../../../adapters/system/clockAndRandom.ts";
import {
  createSmtpListener,
  type SmtpListener,
  type SmtpListenerDeps,
} from "../../../server/smtp/smtpListener.ts";
import type { Database } from "../../../server/store/database.ts";
import { createVirtualClock, type VirtualClock } from "../../fakes/virtualClock.ts";
import { current } from "../../support/current.ts";
import { connectSmtp, type SmtpClient } from "./smtpClient.ts";

export const maskDomain = "masks.example";

export const silent = pino({ level: "silent" });

/** A listener on a free port, and clients that are gone after the test. */
export interface RunningListener {
  readonly port: number;
  readonly listener: SmtpListener;
  readonly clock: VirtualClock;
  readonly connect: (hello?: string) => Promise<SmtpClient>;
  readonly close: () => Promise<void>;
}

export const startListener = async (
  database: Database,
  clock: VirtualClock = createVirtualClock(),
  more: Omit<SmtpListenerDeps["settings"], "host" | "smtpPort" | "maskDomain"> = {},
  parts: Partial<Omit<SmtpListenerDeps, "settings" | "database" | "clock">> = {},
): Promise<RunningListener> => {
  const listener = createSmtpListener({
    settings: { host: "127.0.0.1", smtpPort: 0, maskDomain, ...more },
    database,
    clock,
    random: cryptoRandom,
    log: silent,
    onQueued: () => {},
    ...parts,
  });
  const { port } = await listener.start();
  const clients: SmtpClient[] = [];
  return {
    port,
    listener,
    clock,
    connect: async (hello) => {
      const client = await connectSmtp(port, hello);
      clients.push(client);
      return client;
    },
    close: async () => {
      for (const client of clients) client.destroy();
      await listener.stop();
    },
  };
};

/** A listener on the database of each test of a `describe`. */
export const useListener = (database: () => Database): RunningListener => {
  let relay: RunningListener | undefined;
  beforeEach(async () => {
    relay = await startListener(database());
  });
  afterEach(() => relay?.close());
  return current(() => relay);
};
