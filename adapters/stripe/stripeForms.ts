import { type Either, left, right } from "fp-ts/lib/Either.js";
import { type Failure, unavailable } from "../../core/kernel/failure.ts";
import type { PaymentForm, PaymentFormOptions, PaymentForms } from "../../core/ports/paymentForms.ts";

type Library = typeof import("./stripeLibrary.ts");

/** Loads the module that loads Stripe's script; only payments need it. */
export const loadStripeLibrary = (): Promise<Library> => import("./stripeLibrary.ts");

/**
 * Creates the payment forms port over Stripe's embedded Checkout. Stripe's script loads with the first form and again
 * after a failure. Forms open one after the other because Stripe allows one at a time.
 */
export const createStripeForms = (
  { document }: Pick<Window, "document">,
  load: () => Promise<Library>,
): PaymentForms => {
  let previous: Promise<unknown> = Promise.resolve();

  const mountForm = async (options: PaymentFormOptions): Promise<Either<Failure, PaymentForm>> => {
    const { publishableKey, clientSecret, elementId, onCompleted } = options;
    const { loadStripeFor } = await load();
    const stripe = await loadStripeFor(publishableKey);
    const checkout = await stripe.createEmbeddedCheckoutPage({ clientSecret, onComplete: onCompleted });
    const element = document.getElementById(elementId);
    if (element === null) {
      checkout.destroy();
      return left(unavailable("the page has no element for the payment form"));
    }
    checkout.mount(element);
    let isMounted = true;
    const remove = (): void => {
      if (isMounted) checkout.destroy();
      isMounted = false;
    };
    return right({ remove });
  };

  return {
    open: (options) => () => {
      // The error is not included because it may contain the secret of the payment.
      const opening = previous.then(() => mountForm(options)).catch(() => left(unavailable("Stripe")));
      previous = opening;
      return opening;
    },
  };
};
