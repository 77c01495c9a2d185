import type { TokenApp } from "../../core/app/tokenApp.ts";
import { findShownToast } from "../../core/kernel/toast.ts";
import { useObservable } from "../../web/react/useObservable.ts";
import { ToastRegion } from "../../web/ui/overlay/ToastRegion.tsx";

/** The toasts of a page of the extension. */
export const Toasts = ({ toasts }: Pick<TokenApp, "toasts">) => {
  const list = useObservable(toasts.list$);
  return (
    <ToastRegion
      toasts={list}
      shown={findShownToast(list)}
      onClose={toasts.close}
      onKeepOpen={toasts.keepOpen}
    />
  );
};
