import type { Either } from "fp-ts/lib/Either.js";
import { left, right } from "fp-ts/lib/Either.js";
import { type Failure, unavailable } from "../../core/kernel/failure.ts";
import type { PaymentForm, PaymentForms, PaymentFormWish } from "../../core/ports/payments.ts";

type Library = typeof import("./stripeLibrary.ts");

/** Fetches what loads Stripe's own script: only where somebody is about to pay. */
export const loadStripeLibrary = (): Promise<Library> => import("./stripeLibrary.ts");

/**
 * Stripe's embedded Checkout in the page. Its script comes from Stripe, is fetched with the first form, and asked for
 * again after a failure. Forms are made one after the other, as Stripe allows one at a time.
 */
export const makeStripeForms = (
  { document }: Pick<Window, "document">,
  load: () => Promise<Library>,
): PaymentForms => {
  let last: Promise<unknown> = Promise.resolve();

  const put = async (wish: PaymentFormWish): Promise<Either<Failure, PaymentForm>> => {
    const { publishableKey, clientSecret, placeId, completed } = wish;
    const { stripeOf } = await load();
    const stripe = await stripeOf(publishableKey);
    const checkout = await stripe.createEmbeddedCheckoutPage({ clientSecret, onComplete: completed });
    const place = document.getElementById(placeId);
    if (place === null) {
      checkout.destroy();
      return left(unavailable("the payment form has no place in the page"));
    }
    checkout.mount(place);
    let isThere = true;
    const remove = (): void => {
      if (isThere) checkout.destroy();
      isThere = false;
    };
    return right({ remove });
  };

  return {
    open: (wish) => () => {
      // What went wrong is not repeated: it may quote the secret of the payment.
      const opening = last.then(() => put(wish)).catch(() => left(unavailable("Stripe")));
      last = opening;
      return opening;
    },
  };
};
