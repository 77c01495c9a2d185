import { useEffect } from "react";
import { createPush, type Push } from "../../../core/push/push.ts";
import { useFeature } from "../../react/useApp.ts";
import { useHeldCount } from "../held/useHeldCount.ts";
import { findOwn, unsubscribe } from "./thisDevice.ts";

/** Puts the number of held mails on the app's icon, where the browser has one. */
const useBadge = (count: number): void => {
  useEffect(() => {
    void window.navigator.setAppBadge?.(count).catch(() => undefined);
  }, [count]);
  useEffect(() => () => void window.navigator.clearAppBadge?.().catch(() => undefined), []);
};

/** Tells the server that this browser is in this session, and ends a subscription that the account does not have. */
const claimDevice = async (push: Push): Promise<void> => {
  const own = await findOwn(window);
  if (own === null) return;
  if (!(await push.claim(own.mark)())) await unsubscribe(window);
};

/** What this browser shows of the account beside the page. */
export const DeviceParts = () => {
  const push = useFeature(createPush);
  useBadge(useHeldCount().count);
  useEffect(() => {
    claimDevice(push).catch(() => undefined);
  }, [push]);
  return null;
};
