import type { Check, OperatorChecks, OperatorOverview } from "../../core/operator/operatorEndpoints.ts";
import { startsAt } from "./virtualClock.ts";

const asOf = new Date(startsAt).toISOString();

/** Figures of an installation with a few users and some mail. */
export const createOverview = (more: Partial<OperatorOverview> = {}): OperatorOverview => ({
  problems: ["The disk is full."],
  health: [
    { part: "http", isReady: true },
    { part: "delivery", isReady: false },
  ],
  queue: {
    waiting: 12,
    deferred: 3,
    oldest: new Date(startsAt - 7_200_000).toISOString(),
    failed: 1,
    slowest: [
      {
        domain: "slow.example",
        waiting: 3,
        oldest: new Date(startsAt - 7_200_000).toISOString(),
        codes: "451 4.7.1",
      },
      { domain: "dead.example", waiting: 1, oldest: new Date(startsAt - 3_600_000).toISOString(), codes: "" },
    ],
  },
  providers: [
    {
      name: "Gmail and Google Workspace",
      perHour: 20,
      pausedUntil: new Date(startsAt + 600_000).toISOString(),
      acceptedAt: new Date(startsAt - 7_200_000).toISOString(),
      answer: {
        text: "421 4.7.28 Gmail has detected an unusual rate of mail",
        reason: "volume",
        at: new Date(startsAt - 3_600_000).toISOString(),
      },
    },
    {
      name: "iCloud",
      perHour: null,
      pausedUntil: null,
      acceptedAt: new Date(startsAt - 3_600_000).toISOString(),
      answer: null,
    },
  ],
  receiverReports: {
    dmarc: {
      reports: 3,
      mails: 1_000,
      passed: 990,
      failed: [
        {
          reporter: "google.com",
          isProven: true,
          domain: "masks.example",
          sourceIp: "203.0.113.9",
          isOwn: true,
          disposition: "reject",
          dkim: "fail",
          spf: "fail",
          count: 2,
        },
        {
          reporter: "Outlook.com",
          isProven: false,
          domain: "masks.example",
          sourceIp: "198.51.100.7",
          isOwn: false,
          disposition: "reject",
          dkim: "fail",
          spf: "fail",
          count: 8,
        },
      ],
    },
    tls: {
      reports: 2,
      connections: 500,
      failed: 3,
      failures: [
        {
          reporter: "Google Inc.",
          isProven: true,
          domain: "masks.example",
          result: "certificate-expired",
          count: 3,
        },
      ],
    },
  },
  mail: [
    { day: "2026-11-20", accepted: 1_200, delivered: 1_180, refused: 40, spam: 25 },
    { day: "2026-11-19", accepted: 900, delivered: 900, refused: 0, spam: 0 },
  ],
  users: [
    { tier: "free", count: 2 },
    { tier: "self_hosted", count: 5 },
  ],
  sessions: [
    { way: "code", count: 9 },
    { way: "oidc", count: 4 },
  ],
  version: {
    running: "0.1.0",
    installed: "0.1.0",
    changes: [{ version: "0.1.0", entries: ["Masks: addresses that forward."] }],
  },
  asOf,
  ...more,
});

export const createCheck = (name: string, state: Check["state"] = "ok"): Check => ({
  name,
  state,
  is: state === "ok" ? "as it should be" : "missing",
  advice: state === "ok" ? null : `Create the record ${name}`,
});

export const createChecks = (dns: readonly Check[]): OperatorChecks => ({
  dns,
  machine: [createCheck("disk")],
  asOf,
});
