import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { createCall } from "../api/call.ts";
import type { Failure } from "../kernel/failure.ts";
import type { Http } from "../ports/http.ts";
import { getAccount } from "../session/user.ts";
import type { SessionVerdict } from "./connection.ts";

const toVerdict = (failure: Failure): SessionVerdict => {
  if (failure.kind !== "refused") return failure.kind === "unreadable" ? "good" : "unknown";
  if (failure.status >= 500 || failure.status === 429) return "unknown";
  return failure.status === 401 ? "ended" : "good";
};

/** Creates the check whether the session is still valid: it requests the account. `http` renews an expired token. */
export const createSessionCheck = (http: Http): Task<SessionVerdict> =>
  pipe(
    createCall(http)(getAccount)(),
    TE.match(toVerdict, (): SessionVerdict => "good"),
  );
