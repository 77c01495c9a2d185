import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import { unavailable } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import { type Random, randomHex } from "../ports/random.ts";
import type { Link } from "../realtime/link.ts";
import type { ServerMessage } from "../realtime/messages.ts";
import { socketFirst } from "../sync/socketSync.ts";

interface Needs {
  readonly clock: Clock;
  readonly random: Random;
  readonly request: Link["request"];
  /** Whether the masks held came from the server: then word of what has changed since is enough. */
  readonly isInStep: () => boolean;
  /** Reads the masks with their rules over HTTP. */
  readonly list: () => TE.TaskEither<Failure, void>;
}

type SyncComplete = Extract<ServerMessage, { readonly type: "sync_complete" }>;

const notDone: Failure = unavailable("The server has not synced");

/**
 * Has the rules read again: over the socket the server tells of all that has changed before it says that it is done,
 * and what has changed is read by itself; over HTTP where that fails or takes longer than 5 s (SY5).
 */
export const makeReload =
  ({ clock, random, request, isInStep, list }: Needs): TE.TaskEither<Failure, void> =>
  () => {
    const requestId = randomHex(random, 8);
    const isAnswer = (message: ServerMessage): message is SyncComplete =>
      message.type === "sync_complete" && message.data.requestId === requestId;
    const overSocket = pipe(
      request({ type: "sync_request", data: { resource: "masks", requestId } }, isAnswer),
      TE.chain((answer) => (answer.data.success ? TE.right(undefined) : TE.left(notDone))),
    );
    return (isInStep() ? socketFirst(clock.scheduler, overSocket, list()) : list())();
  };
