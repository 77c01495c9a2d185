import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import type { ClientConfiguration } from "../api/configuration.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, isUserNotified, unavailable } from "../kernel/failure.ts";
import { chainResult } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import type { PaymentForms } from "../ports/paymentForms.ts";
import { defaultPriceId, type Plan, placeholderPrices, plans } from "../tiers/plan.ts";
import { type Tier, tiers } from "../tiers/tier.ts";
import {
  type Checkout,
  openPortal,
  type PaymentMode,
  settlePayment,
  startCheckout,
  startSignUpCheckout,
} from "./billingEndpoints.ts";
import { type CheckoutOptions, type OpenCheckout, openCheckout } from "./checkout.ts";

/** A plan that this server sells. */
interface Offer extends Plan {
  /** The price id at the payment provider. */
  readonly priceId: string;
}

const offersOf = ({ payments }: ClientConfiguration): readonly Offer[] => {
  if (payments === undefined) return [];
  const prices: Readonly<Record<string, string>> = { ...placeholderPrices, ...payments.prices };
  return plans.flatMap((plan) => {
    const priceId = prices[plan.tier];
    return priceId === undefined ? [] : [{ ...plan, priceId }];
  });
};

/** The plan to pay for. */
export interface Order {
  /** The default price is paid for where it is left out (AC7). */
  readonly tier?: Tier | undefined;
  readonly mode: PaymentMode;
  /** A signed-in user, or a new user who gets an account after the payment. */
  readonly buyer: "user" | "new user";
}

/** Buys and manages paid plans. */
export interface Billing {
  /** The plans that the server sells, the cheapest first; none without a payment provider. */
  readonly offers: readonly Offer[];
  /** Opens the provider's form for an order in the empty element with the given id. */
  readonly checkout: (order: Order, elementId: string) => OpenCheckout;
  /** Returns the URL of the provider's billing page. */
  readonly portal: (purpose: "upgrade" | "manage") => TE.TaskEither<Problem, string>;
}

export interface BillingDeps {
  readonly configuration: ClientConfiguration;
  readonly call: Call;
  readonly clock: Clock;
  readonly paymentForms: PaymentForms;
  readonly toast: ShowToast;
  readonly account: { readonly refresh: () => TE.TaskEither<Problem, void> };
  /** Returns the token that proves the mailbox of a new user; empty outside a sign-up. */
  readonly signUpTicket: () => string;
}

const successMessages: Readonly<Record<PaymentMode, string>> = {
  subscription: "Subscription successful! Your plan has been upgraded.",
  payment: "Payment successful!",
};
const pendingMessage = "Your payment is being processed. Your plan changes as soon as it has arrived.";

/** The page says what has failed also where the server has; the reason stands in the toast of such failures. */
const billingPageProblem =
  (message: string) =>
  (failure: Failure): Problem => {
    const { toast: _, ...problem } = problemOf({ page: message, unanswered: message })(failure);
    return isUserNotified(failure) ? { ...problem, message } : problem;
  };

const portalProblem = {
  upgrade: billingPageProblem("Failed to open upgrade page. Please try again."),
  manage: billingPageProblem("Failed to open manage plan page. Please try again."),
};

/** Creates the billing feature. */
export const createPlanBilling = (deps: BillingDeps): Billing => {
  const { configuration, call, toast } = deps;
  const offers = offersOf(configuration);

  const startPayment = ({ tier, mode, buyer }: Order): TE.TaskEither<Failure, Checkout | null> => {
    const offer = offers.find((candidate) => candidate.tier === tier);
    if (offers.length === 0 || (tier !== undefined && offer === undefined))
      return TE.left(unavailable("payments"));
    const body = { priceId: offer?.priceId ?? defaultPriceId, mode };
    if (buyer === "user") return call(startCheckout)({ body });
    return pipe(
      call(startSignUpCheckout)({ body: { ...body, tempToken: deps.signUpTicket() } }),
      TE.map((answer) => ("paid" in answer ? null : answer)),
    );
  };

  /** Asks the server to query the provider, whose webhook may arrive later. */
  const settle = ({ tier, mode, buyer }: Order): T.Task<unknown> => {
    if (buyer === "new user") return T.fromIO(() => toast("success", successMessages[mode]));
    return pipe(
      call(settlePayment)(),
      TE.match(
        () => toast("success", successMessages[mode]),
        (current) =>
          tier !== undefined && tiers.indexOf(current.tier) < tiers.indexOf(tier)
            ? toast("info", pendingMessage)
            : toast("success", successMessages[mode]),
      ),
      chainResult(() => deps.account.refresh()),
    );
  };

  return {
    offers,
    checkout: (order, elementId) => {
      const options: CheckoutOptions = {
        start: startPayment(order),
        forms: deps.paymentForms,
        publishableKey: configuration.payments?.publishableKey ?? "",
        elementId,
        settle: settle(order),
        scheduler: deps.clock.scheduler,
      };
      return openCheckout(options);
    },
    portal: (purpose) =>
      pipe(
        call(openPortal)({ body: { purpose } }),
        TE.map(({ url }) => url),
        TE.mapLeft(portalProblem[purpose]),
      ),
  };
};
