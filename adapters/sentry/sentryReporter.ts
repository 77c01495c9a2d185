import type { Reporter } from "../../core/ports/reporter.ts";

type Library = typeof import("./sentryClient.ts");

/** Loads Sentry's client (about 19 kB); only errors need it. */
export const loadSentryClient = (): Promise<Library> => import("./sentryClient.ts");

const noReporter: Reporter = { isReceived: false, report: () => {} };

/**
 * Creates a reporter for a Sentry project, whose client `load` loads with the first error; does nothing without a
 * DSN.
 */
export const createSentryReporter = (dsn: string | undefined, load: () => Promise<Library>): Reporter => {
  if (!dsn) return noReporter;
  let client: Reporter | undefined;
  return {
    isReceived: true,
    report: (error, context) =>
      void load().then(
        ({ createSentryClient }) => {
          client ??= createSentryClient(dsn);
          client.report(error, context);
        },
        () => {},
      ),
  };
};
