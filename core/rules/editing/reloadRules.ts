import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { SchedulerLike } from "rxjs";
import { type Failure, unavailable } from "../../kernel/failure.ts";
import { chainResult, deferTask } from "../../kernel/task.ts";
import { withTimeLimit } from "../../kernel/timeLimit.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Random, randomHex } from "../../ports/random.ts";
import type { ServerMessage } from "../../realtime/messages.ts";
import type { SocketClient } from "../../realtime/socketClient.ts";

/** A sync over the socket that takes longer than this is done over HTTP (SY5). */
const socketSyncWithinMs = 5_000;
const syncFailed: Failure = unavailable("The server has not synced");

/** Runs the sync over the socket; over HTTP when that fails or takes longer than 5 s, ignoring a later answer. */
export const socketFirst = <A>(
  scheduler: SchedulerLike,
  overSocket: TE.TaskEither<Failure, A>,
  overHttp: TE.TaskEither<Failure, A>,
): TE.TaskEither<Failure, A> =>
  pipe(
    overSocket,
    withTimeLimit(scheduler, socketSyncWithinMs, syncFailed),
    chainResult((result) => (E.isRight(result) ? T.of(result) : overHttp)),
  );

interface ReloadDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly request: SocketClient["request"];
  /** True if the masks shown came from the server; then fetching what has changed since is enough. */
  readonly isLoaded: () => boolean;
  /** Fetches the masks with their rules over HTTP. */
  readonly list: () => TE.TaskEither<Failure, void>;
}

type SyncComplete = Extract<ServerMessage, { readonly type: "sync_complete" }>;

/**
 * Creates the task that fetches the rules again. Over the socket, the server announces every change before it
 * reports that the sync is complete, and each announced change is fetched by itself; the task uses HTTP when
 * that fails or takes longer than 5 s (SY5).
 */
export const createReloadRules = ({
  clock,
  random,
  request,
  isLoaded,
  list,
}: ReloadDeps): TE.TaskEither<Failure, void> =>
  deferTask(() => {
    const requestId = randomHex(random, 8);
    const isAnswer = (message: ServerMessage): message is SyncComplete =>
      message.type === "sync_complete" && message.data.requestId === requestId;
    const overSocket = pipe(
      request({ type: "sync_request", data: { resource: "masks", requestId } }, isAnswer),
      TE.chain((answer) => (answer.data.success ? TE.right(undefined) : TE.left(syncFailed))),
    );
    return isLoaded() ? socketFirst(clock.scheduler, overSocket, list()) : list();
  });
