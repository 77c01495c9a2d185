import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { createResource } from "../kernel/resource.ts";
import { mapState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { type Destination, listDestinations, postDestination } from "./destinationEndpoints.ts";

/** The addresses that a user's mail may go to (D33). */
export interface Destinations {
  /** null while unknown. */
  readonly list$: State<readonly Destination[] | null>;
  /** Loads the destinations; what is known stays when that fails. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Sends the confirmation mail of an address again, with a toast. */
  readonly askAgain: (email: string) => TE.TaskEither<Problem, void>;
}

interface DestinationsDeps {
  readonly call: Call;
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
}

const toProblem = problemOf({ page: "Failed to load your addresses" });
const toAskProblem = problemOf({ page: "Failed to send the confirmation mail" });

/** A confirmation is announced as a change of all masks. */
const mayConcernDestinations = ({ resource, resourceId }: DataUpdate): boolean =>
  resource === "rules" || (resource === "masks" && resourceId === undefined);

export const createDestinations = ({
  call,
  toast,
  user$,
  updates$,
}: DestinationsDeps): Destinations & { readonly start: () => Subscription } => {
  const resource = createResource<readonly Destination[] | null>({
    initial: null,
    fetch: pipe(
      call(listDestinations)({ silent: true }),
      TE.map(({ destinations }) => destinations),
    ),
  });
  return {
    list$: mapState(resource.state$, ({ value }) => value),
    refresh: () => pipe(resource.load, TE.mapLeft(toProblem)),
    askAgain: (email) =>
      pipe(
        call(postDestination)({ body: { email } }),
        TE.mapLeft(toAskProblem),
        TE.tapIO(({ status, confirmationSent }) => () => {
          if (status === "confirmed") toast("success", `${email} is confirmed already`);
          else if (confirmationSent) toast("success", `Confirmation mail sent to ${email}`);
          else toast("info", "The last confirmation mail is too recent. Please try again later.");
          startTask(resource.load);
        }),
        TE.map(() => undefined),
        TE.orElseFirstIOK(
          ({ message }) =>
            () =>
              toast("error", message),
        ),
      ),
    start: () => {
      const running = new Subscription();
      running.add(user$.subscribe((user) => resource.setOwner(user?.email ?? null)));
      running.add(updates$.pipe(filter(mayConcernDestinations)).subscribe(() => startTask(resource.load)));
      return running;
    },
  };
};
