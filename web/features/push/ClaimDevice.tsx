import { useEffect } from "react";
import { createPush, type Push } from "../../../core/push/push.ts";
import { useFeature } from "../../react/useApp.ts";
import { findOwn, unsubscribe } from "./thisDevice.ts";

/** Tells the server that this browser is in this session, and ends a subscription that the account does not have. */
const claimDevice = async (push: Push): Promise<void> => {
  const own = await findOwn(window);
  if (own === null) return;
  if (!(await push.claim(own.mark)())) await unsubscribe(window);
};

/** Keeps the subscription of this browser that of the account; shows nothing. */
export const ClaimDevice = () => {
  const push = useFeature(createPush);
  useEffect(() => {
    claimDevice(push).catch(() => undefined);
  }, [push]);
  return null;
};
