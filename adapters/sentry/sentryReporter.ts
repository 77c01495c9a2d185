import type { Reporter } from "../../core/ports/reporter.ts";

/** Tells nobody. */
const silentReporter: Reporter = { report: () => {} };

/** Reports to the given Sentry project, whose client is loaded with the first report; without one, to nobody. */
export const makeSentryReporter = (dsn: string | undefined): Reporter => {
  if (!dsn) return silentReporter;
  let client: Promise<Reporter> | undefined;
  const load = (): Promise<Reporter> =>
    import("./sentryClient.ts").then(({ makeSentryClient }) => makeSentryClient(dsn));
  return {
    report: (error, context) => {
      client ??= load();
      client.then(
        (reporter) => reporter.report(error, context),
        () => {
          client = undefined;
        },
      );
    },
  };
};
