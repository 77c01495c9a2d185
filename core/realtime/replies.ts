import { left, right } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { SchedulerLike } from "rxjs";
import { type Failure, network, timeout } from "../kernel/failure.ts";
import type { ServerMessage } from "./messages.ts";

/** An answer to something said over the connection comes within this time, or not at all (RT10). */
const answerWithinMs = 10_000;

/** Who waits for which answer. */
export interface Replies {
  /** Waits for the first message that `isAnswer` knows. `abandoned` is called when none comes. */
  readonly expect: <Answer extends ServerMessage>(
    isAnswer: (message: ServerMessage) => message is Answer,
    abandoned: (failure: Failure) => void,
  ) => TaskEither<Failure, Answer>;
  readonly heard: (message: ServerMessage) => void;
  /** Nobody will get an answer any more. */
  readonly fail: (error: string) => void;
}

interface Expected {
  readonly heard: (message: ServerMessage) => void;
  readonly fail: (failure: Failure) => void;
}

export const makeReplies = (scheduler: SchedulerLike): Replies => {
  const waiting = new Set<Expected>();
  return {
    expect: (isAnswer, abandoned) => () =>
      new Promise((resolve) => {
        const fail = (failure: Failure): void => {
          end();
          abandoned(failure);
          resolve(left(failure));
        };
        const late = scheduler.schedule(() => fail(timeout(answerWithinMs)), answerWithinMs);
        const end = (): void => {
          waiting.delete(expected);
          late.unsubscribe();
        };
        const expected: Expected = {
          fail,
          heard: (message) => {
            if (!isAnswer(message)) return;
            end();
            resolve(right(message));
          },
        };
        waiting.add(expected);
      }),
    heard: (message) => {
      for (const expected of [...waiting]) expected.heard(message);
    },
    fail: (error) => {
      for (const expected of [...waiting]) expected.fail(network(error));
    },
  };
};
