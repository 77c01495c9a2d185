import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { ClientConfiguration } from "../contract/configuration.ts";
import { type Failure, unavailable } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import type { PaymentForms } from "../ports/payments.ts";
import type { Call } from "../requests/call.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { type Tier, tiers } from "../tiers/tier.ts";
import type { ShowToast } from "../toasts/toast.ts";
import {
  type Checkout,
  openPortal,
  type PaymentMode,
  settlePayment,
  startCheckout,
  startSignUpCheckout,
} from "./billingEndpoints.ts";
import { type CheckoutParts, type OpenCheckout, openCheckout } from "./checkout.ts";
import { type Offer, offersOf } from "./offer.ts";

/** What somebody wants to pay. */
export interface Order {
  readonly tier: Tier;
  readonly mode: PaymentMode;
  /** Somebody who is signed in, or somebody who will have an account once it is paid (D36). */
  readonly buyer: "user" | "new user";
}

/** Plans to be paid (AC6). */
export interface Payments {
  /** What can be bought here, the cheapest first; nothing where no payment is set up (D38). */
  readonly offers: readonly Offer[];
  /** Opens the provider's form for an order in the empty element of this id. */
  readonly checkout: (order: Order, placeId: string) => OpenCheckout;
  /** The address of the billing page, for a tab of its own (AC1). */
  readonly portal: (purpose: "upgrade" | "manage") => TE.TaskEither<Problem, string>;
}

export interface PaymentsNeeds {
  readonly configuration: ClientConfiguration;
  readonly call: Call;
  readonly clock: Clock;
  readonly paymentForms: PaymentForms;
  readonly toast: ShowToast;
  readonly account: { readonly refresh: () => TE.TaskEither<Problem, void> };
  /** What proves the mailbox of somebody who signs up; empty when nobody does. */
  readonly signUpTicket: () => string;
}

/** What is said when the form has been paid (B4). */
const thanks: Readonly<Record<PaymentMode, string>> = {
  subscription: "Subscription successful! Your plan has been upgraded.",
  payment: "Payment successful!",
};
const onItsWay = "Your payment is being processed. Your plan changes as soon as it has arrived.";

const noBillingPage = (sentence: string) => problemOf({ here: sentence, unreached: sentence });

/** What is said when the billing page cannot be had, the server being out of reach included (AC1). */
const portalProblem = {
  upgrade: noBillingPage("Failed to open upgrade page. Please try again."),
  manage: noBillingPage("Failed to open manage plan page. Please try again."),
};

export const makePayments = (needs: PaymentsNeeds): Payments => {
  const { configuration, call, toast } = needs;
  const offers = offersOf(configuration);

  const begin = ({ tier, mode, buyer }: Order): TE.TaskEither<Failure, Checkout | null> => {
    const offer = offers.find((one) => one.tier === tier);
    if (offer === undefined) return TE.left(unavailable("payments"));
    const body = { priceId: offer.priceId, mode };
    if (buyer === "user") return call(startCheckout)({ body });
    return pipe(
      call(startSignUpCheckout)({ body: { ...body, tempToken: needs.signUpTicket() } }),
      TE.map((answer) => ("paid" in answer ? null : answer)),
    );
  };

  /** The provider may know it before it has told the server: the server is asked to look. */
  const settle = ({ tier, mode, buyer }: Order): Promise<unknown> => {
    if (buyer === "new user") return Promise.resolve(toast("success", thanks[mode]));
    return pipe(
      call(settlePayment)(),
      TE.match(
        () => toast("success", thanks[mode]),
        (known) =>
          tiers.indexOf(known.tier) < tiers.indexOf(tier)
            ? toast("info", onItsWay)
            : toast("success", thanks[mode]),
      ),
    )().then(() => needs.account.refresh()());
  };

  return {
    offers,
    checkout: (order, placeId) => {
      const parts: CheckoutParts = {
        start: begin(order),
        forms: needs.paymentForms,
        publishableKey: configuration.payments?.publishableKey ?? "",
        placeId,
        settle: () => settle(order),
        scheduler: needs.clock.scheduler,
      };
      return openCheckout(parts);
    },
    portal: (purpose) =>
      pipe(
        call(openPortal)({ body: { purpose } }),
        TE.map(({ url }) => url),
        TE.mapLeft(portalProblem[purpose]),
      ),
  };
};
