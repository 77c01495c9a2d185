import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import { type Codec, type Endpoint, pathOf } from "../contract/endpoint.ts";
import { fieldErrorsOf } from "../contract/fieldErrors.ts";
import { type Failure, unreadable } from "../kernel/failure.ts";
import type { Http } from "../ports/http.ts";
import { parseBody, refusalIn } from "./refusal.ts";

type TaskEither<A> = TE.TaskEither<Failure, A>;

type Part<Name extends string, A> = [A] extends [void] ? unknown : { readonly [K in Name]: A };

/** What one call wants beside what its endpoint says. */
interface Wishes {
  /** Names in lower case. A `x-request-id` names the call in every try of it (D43). */
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller tells the user of a failure; nothing else does. */
  readonly quiet?: true;
}

/** What a call is given: `params` and `body`, as far as its endpoint has them, and wishes of its own. */
export type CallInput<Params, Body> = [Params, Body] extends [void, void]
  ? [Wishes?]
  : [Part<"params", Params> & Part<"body", Body> & Wishes];

/** Makes a call of an endpoint: encodes, sends, decodes. */
export type Call = <Params, Body, Answer>(
  endpoint: Endpoint<Params, Body, Answer>,
) => (...input: CallInput<Params, Body>) => TaskEither<Answer>;

/** An empty answer is read as an empty object, so that a server may leave out what is optional. */
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
 * Makes the one way in which the core speaks with its server. A status from 400 up is `refused`,
 * an answer that its codec does not know is `unreadable`. The request is dressed in the very turn in which the
 * task is run, so that a logout may forget the token right after.
 */
export const makeCall =
  (http: Http): Call =>
  <Params, Body, Answer>(endpoint: Endpoint<Params, Body, Answer>) =>
  (...input: CallInput<Params, Body>): TaskEither<Answer> => {
    const given = (input[0] ?? {}) as { readonly params: Params; readonly body: Body } & Wishes;
    const { params, body, headers = {}, quiet } = given;
    const encoded = endpoint.body.encode(body);
    const decode = decodeAnswer(`${endpoint.method} ${endpoint.path}`, endpoint.answer);
    const send = http({
      method: endpoint.method,
      url: pathOf(endpoint.path, endpoint.params.encode(params)),
      route: endpoint.path,
      headers,
      quiet,
      ...(encoded === undefined ? {} : { body: JSON.stringify(encoded) }),
    });
    return () =>
      send().then(
        E.chain((response) => (response.status < 400 ? decode(response.body) : E.left(refusalIn(response)))),
      );
  };
