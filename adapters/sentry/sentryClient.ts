import {
  BrowserClient,
  defaultStackParser,
  type ErrorEvent,
  makeFetchTransport,
  Scope,
} from "@sentry/browser";
import { scrubText } from "../../core/kernel/scrubText.ts";
import type { Reporter } from "../../core/ports/reporter.ts";

const withoutQuery = (url: string): string => url.replace(/[?#].*$/, "");

type Exception = NonNullable<NonNullable<ErrorEvent["exception"]>["values"]>[number];

const scrubException = ({ type, value, stacktrace, mechanism }: Exception): Exception => ({
  ...(type === undefined ? {} : { type }),
  ...(mechanism === undefined
    ? {}
    : { mechanism: { type: mechanism.type, handled: mechanism.handled ?? true } }),
  ...(value === undefined ? {} : { value: scrubText(value) }),
  ...(stacktrace === undefined
    ? {}
    : {
        stacktrace: {
          frames: (stacktrace.frames ?? []).map(({ filename, lineno, colno, function: name }) => ({
            ...(filename === undefined ? {} : { filename: withoutQuery(filename) }),
            ...(lineno === undefined ? {} : { lineno }),
            ...(colno === undefined ? {} : { colno }),
            ...(name === undefined ? {} : { function: name }),
          })),
        },
      }),
});

/** Scrubs a tag; the request id stays because it is only an entry of the server's log. */
const scrubTag = ([name, value]: [string, unknown]): [string, string] => [
  name,
  name === "requestId" ? String(value) : scrubText(String(value)),
];

/** Reduces a crash report to the place and kind of the error, without user data. */
const scrubEvent = ({ event_id, timestamp, platform, level, exception, tags }: ErrorEvent): ErrorEvent => ({
  type: undefined,
  ...(event_id === undefined ? {} : { event_id }),
  ...(timestamp === undefined ? {} : { timestamp }),
  ...(platform === undefined ? {} : { platform }),
  ...(level === undefined ? {} : { level }),
  exception: { values: (exception?.values ?? []).map(scrubException) },
  tags: Object.fromEntries(Object.entries(tags ?? {}).map(scrubTag)),
});

/** Creates a reporter for the Sentry project of the DSN; sends scrubbed events only. */
export const createSentryClient = (dsn: string): Reporter => {
  const client = new BrowserClient({
    dsn,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [],
    beforeSend: scrubEvent,
  });
  const scope = new Scope();
  scope.setClient(client);
  client.init();
  return {
    isReceived: true,
    report: (error, context) => {
      const reportScope = scope.clone();
      reportScope.setTags({ ...context });
      reportScope.captureException(error);
    },
  };
};
