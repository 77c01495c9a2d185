import { useEffect } from "react";
import { createPush, type Push } from "../../../core/push/push.ts";
import { useFeature } from "../../react/useApp.ts";
import { findOwn, keepOwn, renewOwn, unsubscribe } from "./thisDevice.ts";

/** Tells the server that this browser is in this session; false where the account has no such device. */
const isClaimed = async (push: Push): Promise<boolean> => {
  const own = await findOwn(window);
  return own !== null && (await push.claim(own.mark)());
};

/** Claims the subscription of this browser, also one that it has made anew meanwhile; ends one that the account does not have. */
const claimDevice = async (push: Push): Promise<void> => {
  if (await isClaimed(push)) return keepOwn(window);
  await renewOwn(window);
  if (!(await isClaimed(push))) await unsubscribe(window);
};

/** Keeps the subscription of this browser that of the account; shows nothing. */
export const ClaimDevice = () => {
  const push = useFeature(createPush);
  useEffect(() => {
    claimDevice(push).catch(() => undefined);
  }, [push]);
  return null;
};
