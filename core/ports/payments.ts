import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";

/** A payment form to be shown. What is typed into it goes to the payment provider and never passes through us. */
export interface PaymentFormWish {
  /** The provider's public key of this server. */
  readonly publishableKey: string;
  /** What the provider gave the server for this one payment. */
  readonly clientSecret: string;
  /** The id of the empty element that the form is put into. */
  readonly placeId: string;
  /** Told once, when the provider says that the payment is complete. */
  readonly completed: () => void;
}

/** A form that stands in its place. */
export interface PaymentForm {
  /** Takes it away for good; once is enough, more does no harm. */
  readonly remove: () => void;
}

/**
 * Puts the provider's form into the page. One form at a time: the one before must have been removed. `unavailable`
 * when the provider's code cannot be had, or the place is not there.
 */
export interface PaymentForms {
  readonly open: (wish: PaymentFormWish) => TaskEither<Failure, PaymentForm>;
}
