import { useEffect, useId, useRef, useState } from "react";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import styles from "./CheckoutForm.module.css";
import type { OpenCheckout, Order, Payments } from "./paymentsPart.ts";

const loading = (
  <SkeletonRegion label="Loading the payment form" className={styles.skeleton}>
    <Skeleton width="12ch" />
    <Skeleton height="3rem" shape="block" />
    <Skeleton height="3rem" shape="block" />
    <Skeleton height="3rem" shape="block" />
  </SkeletonRegion>
);

interface ProgressProps {
  readonly checkout: OpenCheckout;
  readonly onRetry: () => void;
  readonly onSettling: () => void;
  readonly onPaid: (checkoutSessionId: string | undefined) => void;
}

/** What is said beside the form: that it comes, that it does not, that it is paid. */
const Progress = ({ checkout, onRetry, ...on }: ProgressProps) => {
  const step = useObservable(checkout.step$);
  const told = useRef(on);
  useEffect(() => {
    told.current = on;
  });
  useEffect(() => {
    if (step.kind === "settling") told.current.onSettling();
    if (step.kind === "paid") told.current.onPaid(step.checkoutSessionId);
  }, [step]);
  if (step.kind === "loading") return loading;
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
      {step.problem.sentence}
    </Banner>
  );
};

interface CheckoutFormProps extends Order {
  readonly payments: Payments;
  readonly onSettling: () => void;
  readonly onPaid: (checkoutSessionId: string | undefined) => void;
}

/** The payment provider's form for an order. It is gone when this is. */
export const CheckoutForm = ({ payments, tier, mode, buyer, onSettling, onPaid }: CheckoutFormProps) => {
  const placeId = useId();
  const [attempt, setAttempt] = useState(0);
  const [checkout, setCheckout] = useState<OpenCheckout | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens another form
  useEffect(() => {
    const opened = payments.checkout({ tier, mode, buyer }, placeId);
    setCheckout(opened);
    return opened.close;
  }, [payments, tier, mode, buyer, placeId, attempt]);
  return (
    <div className={styles.form}>
      {checkout && (
        <Progress
          checkout={checkout}
          onRetry={() => setAttempt(attempt + 1)}
          onSettling={onSettling}
          onPaid={onPaid}
        />
      )}
      <div className={styles.place} id={placeId} />
    </div>
  );
};
