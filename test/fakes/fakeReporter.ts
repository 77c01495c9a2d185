import type { Reporter } from "../../core/ports/reporter.ts";

export interface Report {
  readonly error: unknown;
  readonly context: Readonly<Record<string, string>>;
}

export interface FakeReporter extends Reporter {
  readonly reports: readonly Report[];
  isReceived: boolean;
}

/** A reporter that records all reports. */
export const createFakeReporter = (): FakeReporter => {
  const reports: Report[] = [];
  return { reports, isReceived: true, report: (error, context) => reports.push({ error, context }) };
};
