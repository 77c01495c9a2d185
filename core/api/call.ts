import * as E from "fp-ts/lib/Either.js";
import { flow, pipe } from "fp-ts/lib/function.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import { type Failure, unreadable } from "../kernel/failure.ts";
import { mapResult } from "../kernel/task.ts";
import type { Http, HttpRequest } from "../ports/http.ts";
import type { Reporter } from "../ports/reporter.ts";
import { type Codec, type Endpoint, pathOf } from "./endpoint.ts";
import { parseBody, toRefusal } from "./errorResponse.ts";
import { fieldErrorsOf } from "./fieldErrors.ts";
import { leftOutOfAnswer } from "./leftOut.ts";

const maxReported = 5;

type TaskEither<A> = TE.TaskEither<Failure, A>;

type InputField<Name extends string, A> = [A] extends [void] ? unknown : { readonly [K in Name]: A };

interface CallOptions {
  /** Header names are in lower case. An `x-request-id` identifies the call in all its retries. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller shows failures to the user, all or those with these statuses; the pipeline shows no toast. */
  readonly silent?: HttpRequest["silent"];
  readonly unattended?: HttpRequest["unattended"];
  readonly abort$?: HttpRequest["abort$"];
}

/** The input of a call: `params` and `body`, if its endpoint has them, and options. */
export type CallInput<Params, Body> = [Params, Body] extends [void, void]
  ? [CallOptions?]
  : [InputField<"params", Params> & InputField<"body", Body> & CallOptions];

/** Calls an endpoint: encodes the input, sends the request and decodes the response. */
export type Call = <Params, Body, Answer>(
  endpoint: Endpoint<Params, Body, Answer>,
) => (...input: CallInput<Params, Body>) => TaskEither<Answer>;

/** Decodes a response body; an empty body counts as an empty object, so that optional fields may be left out. */
const decodeAnswer =
  <Answer>(what: string, answer: Codec<Answer>) =>
  (body: string): E.Either<Failure, Answer> =>
    pipe(
      answer.decode(body === "" ? {} : parseBody(body)),
      E.mapLeft((errors) =>
        unreadable(
          what,
          fieldErrorsOf(errors).map(({ field, message }) => `${field}: ${message}`),
        ),
      ),
    );

/**
 * Creates the function through which core calls the server. A status of 400 or above fails with `refused`, a response
 * that does not match its codec with `unreadable`; entries that were left out of a list are reported. Headers
 * are read synchronously when the task runs, so that a logout may delete the token right afterwards.
 */
export const createCall =
  (http: Http, reporter?: Reporter): Call =>
  <Params, Body, Answer>(endpoint: Endpoint<Params, Body, Answer>) =>
  (...input: CallInput<Params, Body>): TaskEither<Answer> => {
    const fields = (input[0] ?? {}) as { readonly params: Params; readonly body: Body } & CallOptions;
    const { params, body, headers = {}, silent, unattended, abort$ } = fields;
    const encoded = endpoint.body.encode(body);
    const decode = decodeAnswer(`${endpoint.method} ${endpoint.path}`, endpoint.answer);
    const report = (answer: Answer): void => {
      const problems = leftOutOfAnswer(answer);
      if (problems.length > 0)
        reporter?.report(new Error(`${endpoint.method} ${endpoint.path} has entries that cannot be read`), {
          count: String(problems.length),
          problems: problems.slice(0, maxReported).join("; "),
        });
    };
    const request = {
      method: endpoint.method,
      url: pathOf(endpoint.path, endpoint.params.encode(params)),
      route: endpoint.path,
      headers,
      silent,
      unattended,
      abort$,
      ...(encoded === undefined ? {} : { body: JSON.stringify(encoded) }),
    };
    return pipe(
      http(request),
      mapResult(
        flow(
          E.chain((response) =>
            response.status < 400 ? decode(response.body) : E.left(toRefusal(response)),
          ),
          E.map((answer) => {
            report(answer);
            return answer;
          }),
        ),
      ),
    );
  };
