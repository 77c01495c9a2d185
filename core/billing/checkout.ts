import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { SchedulerLike } from "rxjs";
import { type FallbackMessages, type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, timeout } from "../kernel/failure.ts";
import { createState, type State } from "../kernel/state.ts";
import { startTask, tapResult } from "../kernel/task.ts";
import { withTimeLimit } from "../kernel/timeLimit.ts";
import type { PaymentForm, PaymentForms } from "../ports/paymentForms.ts";
import type { Checkout } from "./billingEndpoints.ts";

const formTimeoutMs = 30_000;

/** A step of a payment. */
export type CheckoutStep =
  | { readonly kind: "loading" }
  /** The form is visible; the user pays at the provider. */
  | { readonly kind: "open" }
  /** The payment is complete, and its effects are being applied. */
  | { readonly kind: "settling" }
  /** The id is undefined when the payment was made before. */
  | { readonly kind: "paid"; readonly checkoutSessionId: string | undefined }
  | { readonly kind: "failed"; readonly problem: Problem };

/** A payment in progress. */
export interface OpenCheckout {
  readonly step$: State<CheckoutStep>;
  /** Removes the form; a payment that is already complete still takes effect. */
  readonly close: () => void;
}

export interface CheckoutOptions {
  /** Starts the payment; null when it was made before. */
  readonly start: TE.TaskEither<Failure, Checkout | null>;
  readonly forms: PaymentForms;
  readonly publishableKey: string;
  readonly elementId: string;
  /** Called when the provider reports the payment as complete. */
  readonly settle: Task<unknown>;
  readonly scheduler: SchedulerLike;
}

const formMessages: FallbackMessages = {
  page: "The payment form could not be loaded. Check your connection, then try again.",
  unanswered: "The payment form could not be loaded. Check your connection, then try again.",
};

/** Opens the payment form and tracks the payment to its end. Starts immediately. */
export const openCheckout = (options: CheckoutOptions): OpenCheckout => {
  const { forms, publishableKey, elementId, scheduler } = options;
  const step$ = createState<CheckoutStep>({ kind: "loading" });
  let form: PaymentForm | null = null;
  let isOver = false;

  const remove = (): void => {
    form?.remove();
    form = null;
  };
  const fail = (failure: Failure): void => {
    if (isOver) return;
    isOver = true;
    step$.set({ kind: "failed", problem: problemOf(formMessages)(failure) });
  };
  const onPaid = (checkoutSessionId: string): void => {
    isOver = true;
    step$.set({ kind: "settling" });
    pipe(
      options.settle,
      tapResult(() => {
        remove();
        step$.set({ kind: "paid", checkoutSessionId });
      }),
      startTask,
    );
  };
  const removeIfClosed = tapResult<E.Either<Failure, PaymentForm>>((result) => {
    if (isOver && E.isRight(result)) result.right.remove();
  });
  const show = ({ clientSecret, checkoutSessionId }: Checkout): TE.TaskEither<Failure, PaymentForm> =>
    pipe(
      forms.open({
        publishableKey,
        clientSecret,
        elementId,
        onCompleted: () => {
          if (step$.value.kind !== "settling" && step$.value.kind !== "paid") onPaid(checkoutSessionId);
        },
      }),
      removeIfClosed,
      withTimeLimit(scheduler, formTimeoutMs, timeout(formTimeoutMs)),
    );
  const onOpened = (placed: PaymentForm): void => {
    if (isOver && step$.value.kind !== "settling") placed.remove();
    else form = placed;
    if (!isOver) step$.set({ kind: "open" });
  };

  pipe(
    options.start,
    TE.chain((checkout) => {
      if (isOver) return TE.right(null);
      if (checkout !== null) return show(checkout);
      isOver = true;
      step$.set({ kind: "paid", checkoutSessionId: undefined });
      return TE.right(null);
    }),
    TE.match(fail, (placed) => {
      if (placed !== null) onOpened(placed);
    }),
    startTask,
  );

  return {
    step$,
    close: () => {
      isOver = true;
      remove();
    },
  };
};
