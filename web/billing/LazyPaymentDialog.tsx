import type { ComponentProps } from "react";
import { createChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { WithPart } from "../loading/WithPart.tsx";
import { useApp } from "../react/useApp.ts";
import type { PaymentDialog } from "./PaymentDialog.tsx";

const dialog = createChunk(
  () => import("./PaymentDialog.tsx"),
  (module) => module.PaymentDialog,
);

/** Loads the payment dialog when it is first rendered. */
export const LazyPaymentDialog = (props: Omit<ComponentProps<typeof PaymentDialog>, "billing">) => {
  const { billing } = useApp();
  return (
    <WithPart late={billing} skeleton={null}>
      {(part) => <Late chunk={dialog} billing={part} skeleton={null} {...props} />}
    </WithPart>
  );
};
