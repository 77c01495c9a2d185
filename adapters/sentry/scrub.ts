import type { ErrorEvent } from "@sentry/browser";
import { scrubText } from "../../core/kernel/scrubText.ts";

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

/** The name of a request stays: the server's log knows it, and it opens nothing. */
const scrubTag = ([name, value]: [string, unknown]): [string, string] => [
  name,
  name === "requestId" ? String(value) : scrubText(String(value)),
];

/** What may leave the device of a crash: where it happened and which kind, never whose data it had in hand. */
export const scrub = ({ event_id, timestamp, platform, level, exception, tags }: ErrorEvent): ErrorEvent => ({
  type: undefined,
  ...(event_id === undefined ? {} : { event_id }),
  ...(timestamp === undefined ? {} : { timestamp }),
  ...(platform === undefined ? {} : { platform }),
  ...(level === undefined ? {} : { level }),
  exception: { values: (exception?.values ?? []).map(scrubException) },
  tags: Object.fromEntries(Object.entries(tags ?? {}).map(scrubTag)),
});
