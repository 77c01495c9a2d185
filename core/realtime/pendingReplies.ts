import { left, right } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { SchedulerLike } from "rxjs";
import { type Failure, network, timeout } from "../kernel/failure.ts";
import type { ServerMessage } from "./messages.ts";

/** The time that a request over the connection waits for its answer (RT10). */
const replyTimeoutMs = 10_000;

/** Matches received messages to the requests that wait for an answer. */
export interface PendingReplies {
  /** Waits for the first message that `isAnswer` accepts; calls `onFailure` when none arrives. */
  readonly waitFor: <Answer extends ServerMessage>(
    isAnswer: (message: ServerMessage) => message is Answer,
    onFailure: (failure: Failure) => void,
  ) => TaskEither<Failure, Answer>;
  readonly handleMessage: (message: ServerMessage) => void;
  readonly failAll: (error: string) => void;
}

interface PendingReply {
  readonly handleMessage: (message: ServerMessage) => void;
  readonly fail: (failure: Failure) => void;
}

export const createPendingReplies = (scheduler: SchedulerLike): PendingReplies => {
  const waiting = new Set<PendingReply>();
  return {
    waitFor: (isAnswer, onFailure) => () =>
      new Promise((resolve) => {
        const fail = (failure: Failure): void => {
          finish();
          onFailure(failure);
          resolve(left(failure));
        };
        const timer = scheduler.schedule(() => fail(timeout(replyTimeoutMs)), replyTimeoutMs);
        const finish = (): void => {
          waiting.delete(reply);
          timer.unsubscribe();
        };
        const reply: PendingReply = {
          fail,
          handleMessage: (message) => {
            if (!isAnswer(message)) return;
            finish();
            resolve(right(message));
          },
        };
        waiting.add(reply);
      }),
    handleMessage: (message) => {
      for (const reply of [...waiting]) reply.handleMessage(message);
    },
    failAll: (error) => {
      for (const reply of [...waiting]) reply.fail(network(error));
    },
  };
};
