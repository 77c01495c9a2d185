import { TextField } from "../../../ui/form/TextField.tsx";

/** Returns the token of an invitation link, or of the token itself. */
const invitationOf = (text: string): string => text.trim().replace(/^.*#invite=/s, "");

/** Returns the token of the invitation link that opened the app, or "". */
export const invitationInAddress = (): string => {
  const { hash } = window.location;
  return hash.startsWith("#invite=") ? invitationOf(hash) : "";
};

interface InvitationFieldProps {
  readonly value: string;
  readonly onChange: (invitation: string) => void;
  readonly error: string | undefined;
}

/** Takes the invitation of a new user, as its link or as the token in it. */
export const InvitationField = ({ value, onChange, error }: InvitationFieldProps) => (
  <TextField
    label="Invitation"
    description="New accounts need an invitation. Paste the link that you received."
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    isMonospace
    value={value}
    onChange={(typed) => onChange(invitationOf(typed))}
    error={error}
  />
);
