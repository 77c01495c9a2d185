import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { ToastRegion } from "../ui/ToastRegion.tsx";

/** The passing messages, above every screen (SH3). */
export const Messages = () => {
  const { toasts } = useApp();
  return <ToastRegion toasts={useObservable(toasts.list$)} onClose={toasts.close} />;
};
