import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { ToastRegion } from "../ui/ToastRegion.tsx";

/** A burst of messages does not cover the page; the older ones have had their time first. */
const mostShown = 3;

/** The passing messages, above every screen (SH3). */
export const Messages = () => {
  const { toasts } = useApp();
  const list = useObservable(toasts.list$);
  return <ToastRegion toasts={list.slice(-mostShown)} onClose={toasts.close} />;
};
