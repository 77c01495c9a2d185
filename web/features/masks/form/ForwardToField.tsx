import { isEmailAddress, mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { useApp, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";

/** Whether changing the forwarding address needs a confirmation (D33): neither the user's nor a confirmed address. */
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

interface ForwardToFieldProps {
  /** The address before the mask was edited; absent for a new mask. */
  readonly before: string | undefined;
  readonly value: string;
  readonly onChange: (forwardTo: string) => void;
  readonly error: string | undefined;
}

/** Where the mail of a mask goes, with a warning about an address that has to be confirmed first. */
export const ForwardToField = ({ before, value, onChange, error }: ForwardToFieldProps) => {
  const needsConfirmation = useNeedsConfirmation(before, value);
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
        description="An address that is not yours yet gets one mail with a link to confirm it."
      />
      {needsConfirmation && (
        <Banner kind="warning">
          Mail to this mask waits until the new address is confirmed: we send a link there. Until it is
          opened, nothing is forwarded and senders are asked to try again later.
        </Banner>
      )}
    </>
  );
};
