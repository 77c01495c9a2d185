import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { firstValueFrom, from, map, race, type SchedulerLike, timer } from "rxjs";
import { type Failure, timeout } from "../kernel/failure.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { PaymentForm, PaymentForms } from "../ports/payments.ts";
import type { Fallbacks } from "../sentences/operations.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { Checkout } from "./billingEndpoints.ts";

/** How long the provider's form may take to appear. */
const formWithinMs = 30_000;

/** Where a payment stands. */
export type CheckoutStep =
  | { readonly kind: "loading" }
  /** The form stands in its place; the rest happens between the user and the provider. */
  | { readonly kind: "open" }
  /** Paid; what follows from it is on its way. */
  | { readonly kind: "settling" }
  /** Without a session: it was paid before. */
  | { readonly kind: "paid"; readonly checkoutSessionId: string | undefined }
  | { readonly kind: "failed"; readonly problem: Problem };

/** One attempt to pay. */
export interface OpenCheckout {
  readonly step$: State<CheckoutStep>;
  /** Takes the form away. A payment that is complete by then takes effect all the same. */
  readonly close: () => void;
}

export interface CheckoutParts {
  /** Begins the payment; null when it was paid before. */
  readonly start: TE.TaskEither<Failure, Checkout | null>;
  readonly forms: PaymentForms;
  readonly publishableKey: string;
  readonly placeId: string;
  /** What is to be done once the provider says it is paid. */
  readonly settle: () => Promise<unknown>;
  readonly scheduler: SchedulerLike;
}

const said: Fallbacks = {
  here: "The payment form could not be loaded. Check your connection, then try again.",
  unreached: "The payment form could not be loaded. Check your connection, then try again.",
};

const inTime =
  <A>(task: TE.TaskEither<Failure, A>, scheduler: SchedulerLike): TE.TaskEither<Failure, A> =>
  () =>
    firstValueFrom(
      race(from(task()), timer(formWithinMs, scheduler).pipe(map(() => E.left(timeout(formWithinMs))))),
    );

/** Opens the payment form and follows it to its end. Begins at once. */
export const openCheckout = (parts: CheckoutParts): OpenCheckout => {
  const { forms, publishableKey, placeId, scheduler } = parts;
  const step$ = makeState<CheckoutStep>({ kind: "loading" });
  let form: PaymentForm | null = null;
  let isOver = false;

  const remove = (): void => {
    form?.remove();
    form = null;
  };
  const fail = (failure: Failure): void => {
    if (isOver) return;
    isOver = true;
    step$.set({ kind: "failed", problem: problemOf(said)(failure) });
  };
  const paid = (checkoutSessionId: string): void => {
    isOver = true;
    step$.set({ kind: "settling" });
    void parts.settle().then(() => {
      remove();
      step$.set({ kind: "paid", checkoutSessionId });
    });
  };
  /** A form that comes when nobody wants it any more is taken away again. */
  const placed =
    (opening: TE.TaskEither<Failure, PaymentForm>): TE.TaskEither<Failure, PaymentForm> =>
    () =>
      opening().then((result) => {
        if (isOver && E.isRight(result)) result.right.remove();
        return result;
      });
  const show = ({ clientSecret, checkoutSessionId }: Checkout): TE.TaskEither<Failure, PaymentForm> =>
    inTime(
      placed(
        forms.open({
          publishableKey,
          clientSecret,
          placeId,
          completed: () => {
            if (step$.value.kind !== "settling" && step$.value.kind !== "paid") paid(checkoutSessionId);
          },
        }),
      ),
      scheduler,
    );
  const opened = (put: PaymentForm): void => {
    if (isOver && step$.value.kind !== "settling") put.remove();
    else form = put;
    if (!isOver) step$.set({ kind: "open" });
  };

  void pipe(
    parts.start,
    TE.chain((checkout) => {
      if (isOver) return TE.right(null);
      if (checkout !== null) return show(checkout);
      isOver = true;
      step$.set({ kind: "paid", checkoutSessionId: undefined });
      return TE.right(null);
    }),
    TE.match(fail, (put) => {
      if (put !== null) opened(put);
    }),
  )();

  return {
    step$,
    close: () => {
      isOver = true;
      remove();
    },
  };
};
