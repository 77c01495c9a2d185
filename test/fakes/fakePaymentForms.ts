import { left, right } from "fp-ts/lib/Either.js";
import { unavailable } from "../../core/kernel/failure.ts";
import type { PaymentFormOptions, PaymentForms } from "../../core/ports/paymentForms.ts";

/** A fake payment provider, in which the test acts as the user. */
export interface FakePaymentForms {
  readonly forms: PaymentForms;
  /** The options of the current form; undefined without one. */
  readonly shown: () => PaymentFormOptions | undefined;
  /** Pays in the current form. */
  readonly pay: () => void;
  /** Makes the provider's code unavailable or available from now on. */
  readonly setReachable: (isReachable: boolean) => void;
  /** Which ids are elements of the page; all by default. */
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
