import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { SignInWay } from "../session/signInWay.ts";
import { ProviderStatus } from "./providerAnswer.ts";
import { ReceiverReports } from "./receiverReports.ts";

/** The hours for which mail that could not be delivered is among the figures. */
export const failedHours = 24;

/** One check of an installation. */
export const Check = t.type({
  /** The subject, such as "MX record". */
  name: t.string,
  state: t.union([t.literal("ok"), t.literal("warning"), t.literal("problem"), t.literal("unknown")]),
  is: t.string,
  /** The problem and how to fix it; null when nothing is to be done. */
  advice: t.union([t.string, t.null]),
});
export type Check = Readonly<t.TypeOf<typeof Check>>;

/** The mail of one day in UTC ("2026-11-20"), over all users. */
const MailDay = t.type({
  day: t.string,
  /** Mails taken for masks, forwarded or not. */
  accepted: t.number,
  /** Copies, counted on the day on which they were accepted. */
  delivered: t.number,
  /** Mails that a rule, the spam filter or a check of the sender kept out. */
  refused: t.number,
  /** The refused ones that the spam filter refused. */
  spam: t.number,
});

const Changes = t.type({ version: t.string, entries: t.readonlyArray(t.string) });

/** Figures of an installation for those who run it: no address, no mail. Times are ISO 8601. */
export const OperatorOverview = t.type({
  /** The problems that the server knows of, as sentences. */
  problems: t.readonlyArray(t.string),
  health: t.readonlyArray(t.type({ part: t.string, isReady: t.boolean })),
  queue: t.type({
    waiting: t.number,
    /** The waiting mails that are to be tried again later. */
    deferred: t.number,
    /** The time at which the longest waiting mail was queued. */
    oldest: t.union([t.string, t.null]),
    /** Mails that could not be delivered, in the last 24 hours. */
    failed: t.number,
    /** The domains whose mail waits longest for another attempt. */
    slowest: t.readonlyArray(
      t.type({
        domain: t.string,
        waiting: t.number,
        oldest: t.string,
        /** The codes of a mail server's answer; empty when none answers. */
        codes: t.string,
      }),
    ),
  }),
  /** Large providers that mail was sent to directly; empty where a next hop sends it. */
  providers: t.readonlyArray(ProviderStatus),
  receiverReports: ReceiverReports,
  /** Today first. */
  mail: t.readonlyArray(MailDay),
  users: t.readonlyArray(t.type({ tier: t.string, count: t.number })),
  /** Open sessions by how they began. */
  sessions: t.readonlyArray(t.type({ way: SignInWay, count: t.number })),
  version: t.type({
    running: t.string,
    /** The version on the disk, which runs after a restart. */
    installed: t.string,
    /** From the changelog on the disk: the changes that a restart brings, otherwise those of the running version. */
    changes: t.readonlyArray(Changes),
  }),
  asOf: t.string,
});
export type OperatorOverview = t.TypeOf<typeof OperatorOverview>;

/** The checks of `bauta doctor` that a running server makes. */
export const OperatorChecks = t.type({
  /** Empty for a server that only its own machine reaches. */
  dns: t.readonlyArray(Check),
  machine: t.readonlyArray(Check),
  asOf: t.string,
});
export type OperatorChecks = t.TypeOf<typeof OperatorChecks>;

/** Returns the figures of the installation; 403 unless the caller is an operator. */
export const getOperatorOverview = endpoint("GET", "/operator", { answer: OperatorOverview });

/** Runs the checks, which takes some seconds; 403 unless the caller is an operator. */
export const getOperatorChecks = endpoint("GET", "/operator/checks", { answer: OperatorChecks });
