import * as E from "fp-ts/lib/Either.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { WritableState } from "../kernel/state.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { ShowToast } from "../toasts/toast.ts";
import type { AiFeature, AiFeaturesChange } from "./aiFeature.ts";
import type { Preferences } from "./contentAccessEndpoints.ts";
import { failing, preferencesUpdated } from "./contentAccessSentences.ts";

interface Needs {
  readonly send: (features: AiFeaturesChange) => TE.TaskEither<Failure, Preferences>;
  readonly show: (feature: AiFeature, isWanted: boolean) => void;
  readonly settle: (preferences: Preferences) => void;
  readonly pending$: WritableState<ReadonlySet<AiFeature>>;
  readonly owner: () => string | null;
  readonly toast: ShowToast;
}

/** Switches a feature: shown at once, taken back when the server says no. */
export const makeSetFeature = (needs: Needs) => {
  const { send, show, settle, pending$, owner, toast } = needs;
  const problem = (failure: Failure): Problem => problemOf(failing.savePreferences(failure))(failure);
  return (feature: AiFeature, isWanted: boolean): TE.TaskEither<Problem, void> =>
    () => {
      const who = owner();
      const failed = (failure: Failure): void => {
        show(feature, !isWanted);
        toast("error", problem(failure).sentence);
      };
      const saved = (preferences: Preferences): void => {
        settle(preferences);
        toast("success", preferencesUpdated);
      };
      show(feature, isWanted);
      pending$.update((features) => new Set([...features, feature]));
      return send({ [feature]: isWanted })().then((result) => {
        if (owner() === who) {
          pending$.update((features) => new Set([...features].filter((one) => one !== feature)));
          E.match(failed, saved)(result);
        }
        return E.bimap(problem, () => undefined)(result);
      });
    };
};
