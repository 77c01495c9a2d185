import type * as TE from "fp-ts/lib/TaskEither.js";
import { csrfCookie } from "./contract/csrf.ts";
import type { Failure } from "./kernel/failure.ts";
import { maskListPath } from "./masks/maskPaths.ts";
import type { Http } from "./ports/http.ts";
import type { Ports } from "./ports/ports.ts";
import { type Call, makeCall } from "./requests/call.ts";
import { type Destination, dress, dressPlainly } from "./requests/dress.ts";
import { type SessionWatch, withFreshSession } from "./requests/freshSession.ts";
import { withBearer } from "./requests/identity.ts";
import type { Tell } from "./requests/notices.ts";
import { makeSharing, type Sharing } from "./requests/sharing.ts";
import { learnCsrfToken } from "./session/csrfToken.ts";
import type { Store } from "./storage/store.ts";
import { plainText } from "./storage/storedCodecs.ts";
import { storedKeys } from "./storage/storedKeys.ts";

interface Needs {
  readonly ports: Ports;
  readonly destination: Destination;
  readonly store: Store;
  /** In whose name is asked, and what to do when that is no longer good. */
  readonly session: SessionWatch;
  readonly tell: Tell;
  readonly isTraced: boolean;
}

/** The ways to ask the server. */
export interface Asking {
  /** In the name of whoever is signed in, with all the manners of a request. */
  readonly call: Call;
  /** Without ado: nothing is repeated, nobody is told. */
  readonly plainHttp: Http;
  /** The same in the name of whoever is signed in; a token that has grown old is replaced. */
  readonly sessionHttp: Http;
  readonly forgetAnswers: Sharing["forget"];
  /** Gets the anti-forgery token that changes are sent with (RQ2). */
  readonly learnCsrf: TE.TaskEither<Failure, void>;
}

export const makeAsking = ({ ports, destination, store, session, tell, isTraced }: Needs): Asking => {
  const csrf = store.of(storedKeys.csrfToken, plainText);
  const plainHttp = dressPlainly(ports.http, destination);
  const sharing = makeSharing(ports.clock, session.token);
  const call = makeCall(
    dress(ports.http, {
      ...destination,
      random: ports.random,
      reporter: ports.reporter,
      telemetry: isTraced ? ports.telemetry : null,
      tell,
      sharing,
      directRoutes: [maskListPath],
      session,
      csrf: {
        fromCookie: () => ports.page.cookie(csrfCookie),
        stored: csrf,
        renew: () => learnCsrf(),
      },
    }),
  );
  const learnCsrf = learnCsrfToken(call, session.token, csrf.write);
  return {
    call,
    plainHttp,
    sessionHttp: withFreshSession(session)(withBearer(session.token)(plainHttp)),
    forgetAnswers: sharing.forget,
    learnCsrf,
  };
};
