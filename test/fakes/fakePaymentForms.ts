import { left, right } from "fp-ts/lib/Either.js";
import { unavailable } from "../../core/kernel/failure.ts";
import type { PaymentFormOptions, PaymentForms } from "../../core/ports/paymentForms.ts";

/** A payment provider without forms: a test says what the user does with them. */
export interface FakePaymentForms {
  readonly forms: PaymentForms;
  /** What the form that stands was opened with; undefined while none does. */
  readonly shown: () => PaymentFormOptions | undefined;
  /** The user pays. */
  readonly pay: () => void;
  /** From now on the provider's code cannot be had, or can again. */
  readonly setReachable: (isReachable: boolean) => void;
  /** Which ids are elements of the page; all unless told. */
  readonly setPlaces: (ids: readonly string[]) => void;
}

export const createFakePaymentForms = (): FakePaymentForms => {
  let shown: PaymentFormOptions | undefined;
  let isReachable = true;
  let places: readonly string[] | null = null;
  let isPaid = false;
  const open: PaymentForms["open"] = (options) => async () => {
    if (!isReachable || shown) return left(unavailable("payments"));
    if (places && !places.includes(options.elementId)) return left(unavailable("no place"));
    shown = options;
    isPaid = false;
    return right({
      remove: () => {
        if (shown === options) shown = undefined;
      },
    });
  };
  return {
    forms: { open },
    shown: () => shown,
    pay: () => {
      if (!isPaid) shown?.onCompleted();
      isPaid = true;
    },
    setReachable: (reachable) => {
      isReachable = reachable;
    },
    setPlaces: (ids) => {
      places = ids;
    },
  };
};
