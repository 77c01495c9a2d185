import { useEffect, useId, useRef, useState } from "react";
import type { Billing } from "../../../core/billing/billing.ts";
import type { Tier } from "../../../core/tiers/tier.ts";
import { formatDollars } from "../../format/numbers.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import styles from "./PaymentDialog.module.css";
import { PlanChoice } from "./PlanChoice.tsx";

type CheckoutOrder = Parameters<Billing["checkout"]>[0];
type OpenCheckout = ReturnType<Billing["checkout"]>;

const skeleton = (
  <SkeletonRegion label="Loading the payment form" className={styles.skeleton}>
    <Skeleton width="12ch" />
    <Skeleton height="control" shape="block" />
    <Skeleton height="control" shape="block" />
    <Skeleton height="control" shape="block" />
  </SkeletonRegion>
);

interface ProgressProps {
  readonly checkout: OpenCheckout;
  readonly onRetry: () => void;
  readonly onSettling: () => void;
  readonly onPaid: (checkoutSessionId: string | undefined) => void;
}

const CheckoutProgress = ({ checkout, onRetry, ...on }: ProgressProps) => {
  const step = useObservable(checkout.step$);
  const callbacks = useRef(on);
  useEffect(() => {
    callbacks.current = on;
  });
  useEffect(() => {
    if (step.kind === "settling") callbacks.current.onSettling();
    if (step.kind === "paid") callbacks.current.onPaid(step.checkoutSessionId);
  }, [step]);
  if (step.kind === "loading") return skeleton;
  if (step.kind === "settling") return <Banner kind="success">Paid. Your plan is being changed.</Banner>;
  if (step.kind !== "failed") return null;
  return (
    <Banner
      kind="error"
      action={
        <Button size="small" onPress={onRetry}>
          Try Again
        </Button>
      }
    >
      {step.problem.message}
    </Banner>
  );
};

interface CheckoutFormProps extends CheckoutOrder {
  readonly billing: Billing;
  readonly onSettling: () => void;
  readonly onPaid: (checkoutSessionId: string | undefined) => void;
}

/** Mounts the payment provider's form for an order and closes it on unmount. */
const CheckoutForm = ({ billing, tier, mode, buyer, onSettling, onPaid }: CheckoutFormProps) => {
  const containerId = useId();
  const [attempt, setAttempt] = useState(0);
  const [checkout, setCheckout] = useState<OpenCheckout | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens a new form
  useEffect(() => {
    const opened = billing.checkout({ tier, mode, buyer }, containerId);
    setCheckout(opened);
    return opened.close;
  }, [billing, tier, mode, buyer, containerId, attempt]);
  return (
    <div className={styles.form}>
      {checkout && (
        <CheckoutProgress
          checkout={checkout}
          onRetry={() => setAttempt(attempt + 1)}
          onSettling={onSettling}
          onPaid={onPaid}
        />
      )}
      <div className={styles.place} id={containerId} />
    </div>
  );
};

const titles: Readonly<Record<CheckoutOrder["mode"], string>> = {
  subscription: "Upgrade Your Plan",
  payment: "Complete Your Payment",
};

export interface PaymentDialogProps {
  readonly billing: Billing;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** A monthly subscription by default. */
  readonly mode?: CheckoutOrder["mode"];
  readonly buyer?: CheckoutOrder["buyer"];
  /** The plan to pay for; skips the choice of a plan. */
  readonly tier?: Tier;
  /** The tiers to choose from; all that are sold by default. */
  readonly choice?: readonly Tier[];
  readonly onPaid?: (checkoutSessionId: string | undefined) => void;
}

/** Lets the user choose a plan and pay for it in the payment provider's form (AC6). */
export const PaymentDialog = (props: PaymentDialogProps) => {
  const { billing, isOpen, onClose, mode = "subscription", buyer = "user", choice, onPaid } = props;
  const offers = billing.offers.filter(({ tier }) => choice === undefined || choice.includes(tier));
  const [chosen, setChosen] = useState<Tier | undefined>(props.tier ?? offers[0]?.tier);
  const [isPaying, setPaying] = useState(props.tier !== undefined);
  const [isSettling, setSettling] = useState(false);
  const step = useRef<HTMLDivElement>(null);
  // The button that led to this step was removed together with its focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step takes the focus
  useEffect(() => step.current?.focus(), [isPaying]);
  const offer = billing.offers.find(({ tier }) => tier === chosen);

  const close = (): void => {
    setPaying(props.tier !== undefined);
    setSettling(false);
    onClose();
  };
  const finish = (checkoutSessionId: string | undefined): void => {
    close();
    onPaid?.(checkoutSessionId);
  };
  const cancelButton = (
    <Button onPress={close} isDisabled={isSettling}>
      Cancel
    </Button>
  );

  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={titles[mode]}
      size="large"
      isPending={isSettling}
      onSubmit={isPaying || offer === undefined ? undefined : () => setPaying(true)}
      footer={
        isPaying ? (
          <>
            {props.tier === undefined && (
              <Button onPress={() => setPaying(false)} isDisabled={isSettling}>
                Back
              </Button>
            )}
            {cancelButton}
          </>
        ) : (
          <>
            {cancelButton}
            {offer && (
              <Button type="submit" variant="primary">
                Continue with {offer.name}
              </Button>
            )}
          </>
        )
      }
    >
      {offer === undefined ? (
        <Banner kind="info">There is no plan to choose from here.</Banner>
      ) : isPaying ? (
        <div className={styles.step} ref={step} tabIndex={-1}>
          <p className={styles.order}>
            <strong>{offer.name}</strong>, {formatDollars(offer.price)}
            {mode === "subscription" ? " a month" : ""}
          </p>
          <CheckoutForm
            billing={billing}
            tier={offer.tier}
            mode={mode}
            buyer={buyer}
            onSettling={() => setSettling(true)}
            onPaid={finish}
          />
        </div>
      ) : (
        <div ref={step} tabIndex={-1} className={styles.step}>
          <PlanChoice plans={offers} chosen={offer.tier} onChoose={setChosen} />
        </div>
      )}
    </Dialog>
  );
};
