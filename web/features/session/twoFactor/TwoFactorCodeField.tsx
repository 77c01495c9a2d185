import { TextField, type TextFieldProps } from "../../../ui/form/TextField.tsx";

/** The field for a two-factor code: one from the authenticator app or a recovery code. */
export const TwoFactorCodeField = (
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
