import { setUpUncertain } from "../../core/encryption/encryptionSentences.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { longDate } from "../wording/dates.ts";
import styles from "./Encryption.module.css";
import type { At } from "./encryptionPart.ts";
import { Fingerprint } from "./Fingerprint.tsx";
import type { WindowName } from "./windowName.ts";

interface EncryptionWaysProps {
  readonly state: At<"on">;
  readonly onOpen: (name: WindowName) => void;
}

const whereabouts = ({ key, olderKeys }: At<"on">): string => {
  const here = key
    ? "This device holds the private key and can open your mail."
    : "The private key is on another device or in your mail program. Import its backup to open mail here.";
  if (olderKeys === 0) return here;
  return `${here} ${olderKeys === 1 ? "An older key" : `${olderKeys} older keys`} on this device still ${olderKeys === 1 ? "opens" : "open"} older mail.`;
};

const ending = ({ expires, hasExpired }: At<"on">): string | null => {
  if (expires === null) return null;
  const day = longDate(new Date(expires).toISOString());
  return hasExpired
    ? `This key ended on ${day}: mail to your masks is refused for now, so that none is sent unencrypted. Use another key.`
    : `This key ends on ${day}.`;
};

/** The key in use, and what can be done about it. */
export const EncryptionWays = ({ state, onOpen }: EncryptionWaysProps) => {
  const { fingerprint, key, olderKeys, isAssumed, hasExpired, canHoldKeys } = state;
  const end = ending(state);
  return (
    <>
      {isAssumed && <Banner kind="warning">{setUpUncertain}</Banner>}
      <p className={styles.muted}>{whereabouts(state)}</p>
      {fingerprint !== null && (
        <p>
          Fingerprint <Fingerprint of={fingerprint} />
        </p>
      )}
      {end && (hasExpired ? <Banner kind="error">{end}</Banner> : <p className={styles.muted}>{end}</p>)}
      <ButtonRow>
        <Button onPress={() => onOpen("read")}>Open a mail</Button>
        {key && <Button onPress={() => onOpen("backup")}>Save another backup</Button>}
        <Button onPress={() => onOpen("import")} isDisabled={!canHoldKeys}>
          Import a backup
        </Button>
        <Button onPress={() => onOpen("replace")}>Replace the key</Button>
        {(key !== null || olderKeys > 0) && (
          <Button variant="quietDanger" onPress={() => onOpen("forget")}>
            Remove from this device
          </Button>
        )}
        <Button variant="quietDanger" onPress={() => onOpen("off")}>
          Turn off
        </Button>
      </ButtonRow>
    </>
  );
};
