import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import type { Failure } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import { isProofMissing } from "./recentProof.ts";

/** The question whether it is the user, which a change waits for. */
export interface ProofQuestion {
  /** Goes on with the change, or gives it up. */
  readonly answer: (isProven: boolean) => void;
}

/** Asks the user to confirm that it is them, where the server wants to know it again. */
export interface ProofQuestions {
  /** The open question; null while there is none. */
  readonly question$: State<ProofQuestion | null>;
  /** Returns calls that ask and are then repeated; one that is given up fails as it was refused. */
  readonly asking: (call: Call) => Call;
}

/** No form has a field for the proof, so that its sentence stands for the whole form. */
const withoutFields = (failure: Failure): Failure =>
  failure.kind === "refused" ? { ...failure, errors: [] } : failure;

/** Creates the questions; calls that are refused meanwhile wait for the one that is open. */
export const createProofQuestions = (): ProofQuestions => {
  const question$ = createState<ProofQuestion | null>(null);
  let asked: Promise<boolean> | null = null;
  const ask: Task<boolean> = () => {
    asked ??= new Promise<boolean>((resolve) => {
      question$.set({
        answer: (isProven) => {
          asked = null;
          question$.set(null);
          resolve(isProven);
        },
      });
    });
    return asked;
  };
  return {
    question$,
    asking:
      (call) =>
      (endpoint) =>
      (...input) => {
        const send = call(endpoint)(...input);
        return pipe(
          send,
          TE.orElse((failure) =>
            isProofMissing(failure)
              ? pipe(
                  TE.fromTask(ask),
                  TE.chain((isProven) => (isProven ? send : TE.left(withoutFields(failure)))),
                )
              : TE.left(failure),
          ),
        );
      },
  };
};
