import { useEffect } from "react";
import { useApp } from "../binding/useApp.ts";

/** What somebody does who is there. */
const signs = ["pointerdown", "keydown", "focus"] as const;

/** Tells the connection that somebody is there: without that it is closed after a while (RT6). */
export const useActivity = (): void => {
  const { realtime } = useApp();
  useEffect(() => {
    for (const sign of signs) window.addEventListener(sign, realtime.active, { capture: true });
    return () => {
      for (const sign of signs) window.removeEventListener(sign, realtime.active, { capture: true });
    };
  }, [realtime]);
};
