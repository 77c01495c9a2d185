import { TextField, type TextFieldProps } from "../ui/TextField.tsx";

/** A code of the second factor: of the authenticator, or one of those kept for when it is lost. */
export const SecondFactorField = (
  props: Pick<TextFieldProps, "name" | "value" | "onChange" | "error" | "autoFocus" | "ref">,
) => (
  <TextField
    {...props}
    label="2FA code"
    description="From your authenticator app, or one of your recovery codes."
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    isMonospace
  />
);
