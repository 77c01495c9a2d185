import type { Fallbacks } from "../sentences/operations.ts";

/** What is said when the server gave no sentence of its own (A8, B8, SG2). */
export const said = {
  status: { here: "Failed to get security status" },
  setUp: {
    here: "Failed to set up two-factor authentication",
    unreadable: "Missing required data from server",
  },
  verify: { here: "Failed to verify code" },
  disable: { here: "Failed to disable two-factor authentication" },
  renew: { here: "Failed to make new recovery codes" },
  copy: { here: "Failed to copy to clipboard" },
} as const satisfies Readonly<Record<string, Fallbacks>>;
