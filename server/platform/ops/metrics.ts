import { Counter, Gauge, Registry } from "prom-client";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database, Db } from "../store/database.ts";
import { readProductCounts } from "./productCounts.ts";

/** Whether the server works. */
export interface Health {
  /** The readiness of each part by name. */
  readonly parts: Readonly<Record<string, boolean>>;
  /** What is wrong, as sentences for the operator, as far as it is known. */
  readonly problems: readonly string[];
}

/** Figures of delivery to the mail servers of recipients, since the start. */
export interface OutgoingFigures {
  /** How many domains have mail in progress, and how many do not answer. */
  readonly domains: () => { readonly sending: number; readonly failing: number };
  /** Connections by the origin of the rule for their protection, and by result (RFC 8460). */
  readonly tlsSessions: () => readonly {
    readonly policy: string;
    readonly result: string;
    readonly count: number;
  }[];
}

/** The operator's metrics. They are counts without personal data. */
export interface Metrics {
  readonly registry: Registry;
  /** Returns all metrics in the Prometheus text format, version 0.0.4. */
  readonly read: () => Promise<string>;
}

/** Wrong sign-in codes and second factors of the last day. */
export interface WrongCodeFigures {
  readonly codes: number;
  /** Those whose owner was told. */
  readonly accounts: number;
}

export interface MetricsDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly health: () => Promise<Health>;
  readonly readWrongCodes: (db: Db, now: number) => Promise<WrongCodeFigures>;
  /** Null without direct delivery. */
  readonly outgoing?: OutgoingFigures | null;
}

const addProcessMetrics = (registry: Registry): void => {
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge("process_resident_memory_bytes", "Resident memory in bytes.", process.memoryUsage.rss);
  gauge("process_uptime_seconds", "Seconds since the process started.", process.uptime);
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time used, in seconds.",
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1_000_000);
    },
  });
};

const addOutgoingMetrics = (registry: Registry, { domains, tlsSessions }: OutgoingFigures): void => {
  new Gauge({
    name: "bauta_recipient_domains",
    help: "Domains with mail in progress, and domains whose mail servers do not answer.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(domains())) this.set({ state }, count);
    },
  });
  new Counter({
    name: "bauta_tls_sessions_total",
    help: "Connections to mail servers, by policy (none, sts, dane) and result (RFC 8460, 4.3).",
    labelNames: ["policy", "result"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { policy, result, count } of tlsSessions()) this.inc({ policy, result }, count);
    },
  });
};

/** Creates the metrics of the process, its readiness, and the totals over all users. */
export const createMetrics = ({
  database,
  clock,
  health,
  readWrongCodes,
  outgoing = null,
}: MetricsDeps): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  const ready = new Gauge({
    name: "bauta_ready",
    help: "Whether a part of the server is ready (1) or not (0).",
    labelNames: ["part"],
    registers,
  });
  const users = new Gauge({ name: "bauta_users", help: "Number of accounts.", registers });
  const masks = new Gauge({ name: "bauta_masks", help: "Number of masks.", registers });
  const mails = new Gauge({
    name: "bauta_mails",
    help: "Mails in the queue, and mails that have left it and are still listed.",
    labelNames: ["status"],
    registers,
  });
  const wrongCodes = new Gauge({
    name: "bauta_wrong_codes",
    help: "Wrong sign-in codes and second factors of the last day.",
    registers,
  });
  const guessedAccounts = new Gauge({
    name: "bauta_guessed_accounts",
    help: "Accounts with at least ten wrong codes in the last day.",
    registers,
  });
  const oldest = new Gauge({
    name: "bauta_oldest_waiting_mail_seconds",
    help: "Age of the oldest waiting mail in seconds; 0 without waiting mail.",
    registers,
  });
  addProcessMetrics(registry);
  if (outgoing) addOutgoingMetrics(registry, outgoing);

  return {
    registry,
    read: async () => {
      for (const [part, isReady] of Object.entries((await health()).parts))
        ready.set({ part }, Number(isReady));
      const counts = await readProductCounts(database.db);
      users.set(counts.users);
      masks.set(counts.masks);
      const guessed = await readWrongCodes(database.db, clock.now());
      wrongCodes.set(guessed.codes);
      guessedAccounts.set(guessed.accounts);
      for (const [status, count] of Object.entries(counts.mails)) mails.set({ status }, count);
      const waitingMs = counts.waitingSince === null ? 0 : clock.now() - counts.waitingSince;
      oldest.set(Math.max(0, Math.floor(waitingMs / 1_000)));
      return registry.metrics();
    },
  };
};
