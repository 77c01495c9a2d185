import * as E from "fp-ts/lib/Either.js";
import type * as t from "io-ts";
import { parseBody } from "../api/errorResponse.ts";
import { fieldErrorsOf } from "../api/fieldErrors.ts";
import { leftOutOfAnswer } from "../api/leftOut.ts";
import { givenFields } from "../api/wireCodecs.ts";
import type { Reporter } from "../ports/reporter.ts";
import { ServerMessage } from "./messages.ts";

/** Stands for a notification that cannot be read: the list is fetched, which says how many could not be shown (D55). */
const notificationsChanged: ServerMessage = {
  type: "data_update",
  data: { resource: "notifications", action: "updated" },
};

/** Brings a message into its envelope; the fields of `data` may also stand beside the type. */
const inEnvelope = (text: string): Readonly<Record<string, unknown>> => {
  const { type, data, ...beside } = givenFields(parseBody(text));
  return { type, data: typeof data === "object" ? data : beside };
};

/**
 * Creates the function that reads what the server sends; null for a message that says nothing to this version. A message of a
 * known type that cannot be read is reported, once for each type.
 */
export const createReadMessage = (reporter: Reporter): ((text: string) => ServerMessage | null) => {
  const reported = new Set<string>();
  const report = (type: string, problems: readonly string[]): void => {
    if (problems.length === 0 || reported.has(type)) return;
    reported.add(type);
    reporter.report(new Error(`A message (${type}) cannot be read`), {
      problems: problems.slice(0, 5).join("; "),
    });
  };
  return (text) => {
    const received = inEnvelope(text);
    const codec: t.Decoder<unknown, ServerMessage> | undefined = ServerMessage.types.find(
      ({ props }) => props.type.value === received["type"],
    );
    if (codec === undefined) return null;
    const type = String(received["type"]);
    const read = codec.decode(received);
    if (E.isRight(read)) {
      if ("data" in read.right) report(type, leftOutOfAnswer(read.right.data));
      return read.right;
    }
    report(
      type,
      fieldErrorsOf(read.left).map(({ field, message }) => `${field}: ${message}`),
    );
    return type === "notification" ? notificationsChanged : null;
  };
};
