import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { getAccount } from "../account/accountEndpoints.ts";
import type { Failure } from "../kernel/failure.ts";
import type { Http } from "../ports/http.ts";
import { makeCall } from "../requests/call.ts";
import type { SessionVerdict } from "./connection.ts";

const verdictOn = (failure: Failure): SessionVerdict => {
  if (failure.kind !== "refused") return failure.kind === "unreadable" ? "good" : "unknown";
  if (failure.status >= 500 || failure.status === 429) return "unknown";
  return failure.status === 401 ? "ended" : "good";
};

/** Asks something that takes a session; `http` gets a new token for one that has grown old. */
export const makeAskSession = (http: Http): Task<SessionVerdict> =>
  pipe(
    makeCall(http)(getAccount)(),
    TE.match(verdictOn, (): SessionVerdict => "good"),
  );
