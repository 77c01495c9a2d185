import { useState } from "react";
import { type PassphraseStrength, passphraseBits, strengthOf } from "../../core/encryption/passphrase.ts";
import { Checkbox } from "../ui/Checkbox.tsx";
import { classes } from "../ui/classes.ts";
import { TextField } from "../ui/TextField.tsx";
import styles from "./Encryption.module.css";

const words: Readonly<Record<PassphraseStrength, string>> = {
  "too-weak": "Too easy to guess",
  fair: "Fair",
  strong: "Strong, if you did not take it from anywhere",
};

/** Beyond this the meter is full. */
const fullBits = 80;

const Strength = ({ passphrase }: { readonly passphrase: string }) => {
  const strength = strengthOf(passphrase);
  const percent = Math.min(100, (100 * passphraseBits(passphrase)) / fullBits);
  return (
    <div className={styles.strength}>
      <span className={styles.meter} aria-hidden="true">
        <span
          className={classes(strength !== "too-weak" && styles[strength])}
          style={{ width: `${percent}%` }}
        />
      </span>
      <span role="status">{passphrase === "" ? "" : `Strength: ${words[strength]}`}</span>
    </div>
  );
};

interface PassphraseFieldsProps {
  readonly passphrase: string;
  readonly again: string;
  readonly onChange: (draft: { readonly passphrase: string; readonly again: string }) => void;
  readonly passphraseError?: string | undefined;
  readonly againError?: string | undefined;
}

/** A new passphrase, twice, and how hard it is to guess. */
export const PassphraseFields = (props: PassphraseFieldsProps) => {
  const { passphrase, again, onChange } = props;
  const [isShown, setShown] = useState(false);
  const type = isShown ? "text" : "password";
  return (
    <>
      <TextField
        label="Passphrase for the backup"
        name="passphrase"
        type={type}
        description="Four or more words that do not belong together are good, and can be remembered. Nobody can reset it."
        value={passphrase}
        onChange={(value) => onChange({ passphrase: value, again })}
        error={props.passphraseError}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Strength passphrase={passphrase} />
      <TextField
        label="Passphrase again"
        name="again"
        type={type}
        value={again}
        onChange={(value) => onChange({ passphrase, again: value })}
        error={props.againError}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Checkbox label="Show passphrase" isChecked={isShown} onChange={setShown} />
    </>
  );
};
