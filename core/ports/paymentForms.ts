import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";

/** The options of a payment form. The input goes to the payment provider only. */
export interface PaymentFormOptions {
  /** The server's public key at the payment provider. */
  readonly publishableKey: string;
  /** The secret of this payment, which the server got from the provider. */
  readonly clientSecret: string;
  /** The id of the empty element that the form is rendered into. */
  readonly elementId: string;
  /** Called once, when the provider reports that the payment is complete. */
  readonly onCompleted: () => void;
}

/** A rendered payment form. */
export interface PaymentForm {
  /** Removes the form; further calls do nothing. */
  readonly remove: () => void;
}

/**
 * Renders the provider's form into the page. Only one form may exist at a time. Fails with `unavailable` when the
 * provider's code cannot be loaded or the element does not exist.
 */
export interface PaymentForms {
  readonly open: (options: PaymentFormOptions) => TaskEither<Failure, PaymentForm>;
}
