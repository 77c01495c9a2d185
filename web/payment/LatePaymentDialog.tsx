import type { ComponentProps } from "react";
import { useApp } from "../binding/useApp.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { WithPart } from "../loading/WithPart.tsx";
import type { PaymentDialog } from "./PaymentDialog.tsx";

const dialog = makeChunk(
  () => import("./PaymentDialog.tsx"),
  (module) => module.PaymentDialog,
);

/** The payment window, fetched when it is first drawn. */
export const LatePaymentDialog = (props: Omit<ComponentProps<typeof PaymentDialog>, "payments">) => {
  const { payments } = useApp();
  return (
    <WithPart late={payments} skeleton={null}>
      {(part) => <Late chunk={dialog} payments={part} skeleton={null} {...props} />}
    </WithPart>
  );
};
