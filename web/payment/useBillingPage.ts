import { useRef } from "react";
import { type Action, useAction } from "../binding/useAction.ts";
import type { Payments } from "./paymentsPart.ts";

type Purpose = Parameters<Payments["portal"]>[0];

/**
 * Opens the billing page in a tab of its own. The tab is opened by the very press, which browsers allow, and led to
 * its address when that is known; without one it is closed again.
 */
export const useBillingPage = (payments: Payments): Action<[Purpose]> => {
  const tab = useRef<Window | null>(null);
  const action = useAction(payments.portal, {
    onSuccess: (url) => {
      if (tab.current) tab.current.location.href = url;
      else window.location.assign(url);
    },
    onProblem: () => tab.current?.close(),
  });
  return {
    ...action,
    run: (purpose) => {
      tab.current = window.open("", "_blank");
      action.run(purpose);
    },
  };
};
