import { useEffect, useRef, useState } from "react";
import type { Tier } from "../../core/tiers/tier.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { dollarsOf } from "../wording/dollars.ts";
import { CheckoutForm } from "./CheckoutForm.tsx";
import styles from "./PaymentDialog.module.css";
import { PlanChoice } from "./PlanChoice.tsx";
import type { Order, Payments } from "./paymentsPart.ts";

const titles: Readonly<Record<Order["mode"], string>> = {
  subscription: "Upgrade Your Plan",
  payment: "Complete Your Payment",
};

export interface PaymentDialogProps {
  readonly payments: Payments;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** A plan that is paid each month unless told. */
  readonly mode?: Order["mode"];
  readonly buyer?: Order["buyer"];
  /** The plan to be paid, chosen already. */
  readonly tier?: Tier;
  /** The tiers there are to choose from; all that are sold when left out. */
  readonly choice?: readonly Tier[];
  readonly onPaid?: (checkoutSessionId: string | undefined) => void;
}

/** Choose a plan, pay for it in the provider's form (AC6). */
export const PaymentDialog = (props: PaymentDialogProps) => {
  const { payments, isOpen, onClose, mode = "subscription", buyer = "user", choice, onPaid } = props;
  const offers = payments.offers.filter(({ tier }) => choice === undefined || choice.includes(tier));
  const [chosen, setChosen] = useState<Tier | undefined>(props.tier ?? offers[0]?.tier);
  const [isPaying, setPaying] = useState(props.tier !== undefined);
  const [isSettling, setSettling] = useState(false);
  const step = useRef<HTMLDivElement>(null);
  // The button that led here is gone, and the focus with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step takes the focus
  useEffect(() => step.current?.focus(), [isPaying]);
  const offer = payments.offers.find(({ tier }) => tier === chosen);

  const close = (): void => {
    setPaying(props.tier !== undefined);
    setSettling(false);
    onClose();
  };
  const finish = (checkoutSessionId: string | undefined): void => {
    close();
    onPaid?.(checkoutSessionId);
  };
  const leave = (
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
            {leave}
          </>
        ) : (
          <>
            {leave}
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
            <strong>{offer.name}</strong>, {dollarsOf(offer.price)}
            {mode === "subscription" ? " a month" : ""}
          </p>
          <CheckoutForm
            payments={payments}
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
