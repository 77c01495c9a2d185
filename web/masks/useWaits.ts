import { isEmailAddress, mailboxKey } from "../../core/mail/emailAddress.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";

/**
 * Whether mail to a mask that forwards to `before` will wait for a confirmation when it is turned to `after` (D33): as
 * far as this page knows, nobody has confirmed that address.
 */
export const useWaits = (before: string | undefined, after: string): boolean => {
  const { masks, session } = useApp();
  const { all } = useObservable(masks.view$);
  const state = useObservable(session.state$);
  const wanted = after.trim();
  if (before === undefined || !isEmailAddress(wanted)) return false;
  const key = mailboxKey(wanted);
  const confirmed = all
    .filter(({ destinationStatus }) => destinationStatus !== "awaiting-confirmation")
    .map(({ forwardTo }) => mailboxKey(forwardTo));
  const own = state.kind === "signed-in" ? [mailboxKey(state.user.email)] : [];
  return ![mailboxKey(before), ...own, ...confirmed].includes(key);
};
