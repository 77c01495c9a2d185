import { useEffect } from "react";
import { useHeldCount } from "../features/held/useHeldCount.ts";

/** Puts the number of held mails on the app's icon, where the browser has one. */
export const useAppBadge = (): void => {
  const { count } = useHeldCount();
  useEffect(() => {
    void window.navigator.setAppBadge?.(count).catch(() => undefined);
  }, [count]);
  useEffect(() => () => void window.navigator.clearAppBadge?.().catch(() => undefined), []);
};
