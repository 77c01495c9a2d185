import type { Reporter } from "../../core/ports/reporter.ts";
import { loadOnce } from "../system/loadOnce.ts";

/** A reporter that discards errors. */
const noReporter: Reporter = { report: () => {} };

/**
 * Creates a reporter for a Sentry project, loaded with the first error; without a DSN errors are discarded.
 */
export const createSentryReporter = (dsn: string | undefined): Reporter => {
  if (!dsn) return noReporter;
  const load = loadOnce(() =>
    import("./sentryClient.ts").then(({ createSentryClient }) => createSentryClient(dsn)),
  );
  return {
    report: (error, context) =>
      void load().then(
        (reporter) => reporter.report(error, context),
        () => {},
      ),
  };
};
