import { useEffect } from "react";
import { createDestinations } from "../../../../core/destinations/destinations.ts";
import { isEmailAddress, mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { useAction } from "../../../react/useAction.ts";
import { useFeature } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Badge } from "../../../ui/Badge.tsx";
import { Button } from "../../../ui/Button.tsx";
import styles from "../RuleCard.module.css";

/** Returns the state of an address; null while the addresses are not loaded. */
const useDestinationStatus = (email: string): "confirmed" | "awaiting-confirmation" | "new" | null => {
  const { list$ } = useFeature(createDestinations);
  const list = useObservable(list$);
  const key = mailboxKey(email);
  return list && (list.find((one) => mailboxKey(one.email) === key)?.status ?? "new");
};

/** Loads the user's addresses when the component appears, and again when `version` changes. */
export const useLoadedDestinations = (version: unknown): void => {
  const { run } = useAction(useFeature(createDestinations).refresh);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version needs another request
  useEffect(() => run(), [run, version]);
};

/** Says in the editor whether an address receives mail already, and what it needs. */
export const DestinationNote = ({ email }: { readonly email: string }) => {
  const address = email.trim();
  const status = useDestinationStatus(address);
  if (status === null || status === "confirmed" || !isEmailAddress(address))
    return "Mail is forwarded only to confirmed addresses.";
  return status === "new"
    ? "This address is new. When the rule is saved, it gets an email with a link; until the link is opened, mail goes to the mask's own address."
    : "The link in the confirmation email to this address is not opened yet. Until then mail goes to the mask's own address.";
};

const AwaitedAddress = ({ email }: { readonly email: string }) => {
  const destinations = useFeature(createDestinations);
  const ask = useAction(destinations.askAgain);
  const status = useDestinationStatus(email);
  if (status === null || status === "confirmed") return null;
  return (
    <p className={styles.awaiting}>
      <Badge kind="warning" hasDot>
        Awaiting confirmation
      </Badge>{" "}
      <span>
        Until the link in the confirmation email to {email} is opened, mail goes to the mask's own address.
      </span>{" "}
      <Button size="small" onPress={() => ask.run(email)} isPending={ask.isRunning}>
        Send again
      </Button>
    </p>
  );
};

/** Names the addresses of a rule that have not agreed to receive mail. */
export const AwaitedAddresses = ({ rule }: { readonly rule: Rule }) => {
  const addresses = rule.actions.flatMap((action) =>
    action.type === "forward" ? [action.params.email] : [],
  );
  return [...new Set(addresses)].map((email) => <AwaitedAddress key={email} email={email} />);
};
