import type { ComponentProps } from "react";
import { createPlanBilling } from "../../../core/billing/billing.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { useApp } from "../../react/useApp.ts";
import type { PaymentDialog } from "./PaymentDialog.tsx";

const dialog = createChunk(
  () => import("./PaymentDialog.tsx"),
  (module) => module.PaymentDialog,
);

/** Loads the payment dialog when it is first rendered. */
export const LazyPaymentDialog = (props: Omit<ComponentProps<typeof PaymentDialog>, "billing">) => {
  const billing = useApp().feature(createPlanBilling);
  return (
    <Lazy chunk={dialog} skeleton={null}>
      {(PaymentDialog) => <PaymentDialog billing={billing} {...props} />}
    </Lazy>
  );
};
