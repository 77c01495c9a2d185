import { useEffect } from "react";
import type { Destination } from "../../../../core/destinations/destinationEndpoints.ts";
import { createDestinations } from "../../../../core/destinations/destinations.ts";
import { isEmailAddress, mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { useAction } from "../../../react/useAction.ts";
import { useApp, useFeature, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { ChipGroup } from "../../../ui/form/ChipGroup.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";

/** True if changing the forwarding address needs a confirmation (D33): neither the user's nor a confirmed address. */
const useNeedsConfirmation = (before: string | undefined, after: string): boolean => {
  const { session } = useApp();
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const state = useObservable(session.state$);
  const address = after.trim();
  if (before === undefined || !isEmailAddress(address)) return false;
  const key = mailboxKey(address);
  const confirmed = all
    .filter(({ destinationStatus }) => destinationStatus !== "awaiting-confirmation")
    .map(({ forwardTo }) => mailboxKey(forwardTo));
  const own = state.kind === "signed-in" ? [mailboxKey(state.user.email)] : [];
  return ![mailboxKey(before), ...own, ...confirmed].includes(key);
};

/** The confirmed addresses of the user, the default one first; none while they are unknown. */
const useConfirmed = (): readonly Destination[] => {
  const { list$, refresh } = useFeature(createDestinations);
  const { run } = useAction(refresh);
  useEffect(() => run(), [run]);
  const known = useObservable(list$) ?? [];
  return known
    .filter(({ status }) => status === "confirmed")
    .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault));
};

/** More addresses than this are found by typing. */
const mostChips = 6;

interface ForwardToFieldProps {
  /** The address before the mask was edited; absent for a new mask. */
  readonly before: string | undefined;
  readonly value: string;
  readonly onChange: (forwardTo: string) => void;
  readonly error: string | undefined;
}

/** The field for the forwarding address of a mask, with a warning about one that has to be confirmed first. */
export const ForwardToField = ({ before, value, onChange, error }: ForwardToFieldProps) => {
  const needsConfirmation = useNeedsConfirmation(before, value);
  const confirmed = useConfirmed();
  return (
    <>
      <TextField
        label="Forward to"
        type="email"
        inputMode="email"
        autoCapitalize="none"
        autoComplete="email"
        spellCheck={false}
        value={value}
        onChange={onChange}
        error={error}
        suggestions={confirmed.map(({ email }) => email)}
        description="A new address gets one email with a link to confirm it."
      />
      {confirmed.length > 1 && confirmed.length <= mostChips && (
        <ChipGroup
          label="Your addresses"
          chips={confirmed.map(({ email, isDefault }) => ({
            value: email,
            label: isDefault ? `${email} (default)` : email,
          }))}
          value={value.trim()}
          onChange={onChange}
        />
      )}
      {needsConfirmation && (
        <Banner kind="warning">
          A confirmation link is sent to the new address. Until it is opened, nothing is forwarded, and
          senders are asked to try again later.
        </Banner>
      )}
    </>
  );
};
