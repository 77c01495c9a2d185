import { BrowserClient, defaultStackParser, makeFetchTransport, Scope } from "@sentry/browser";
import type { Reporter } from "../../core/ports/reporter.ts";
import { scrub } from "./scrub.ts";

/** Reports to the Sentry project that the DSN names; only what `scrub` lets through. */
export const makeSentryClient = (dsn: string): Reporter => {
  const client = new BrowserClient({
    dsn,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [],
    beforeSend: scrub,
  });
  const scope = new Scope();
  scope.setClient(client);
  client.init();
  return {
    report: (error, context) => {
      const told = scope.clone();
      told.setTags({ ...context });
      told.captureException(error);
    },
  };
};
