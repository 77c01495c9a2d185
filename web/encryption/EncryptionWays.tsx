import { setUpUncertain } from "../../core/encryption/encryptionSentences.ts";
import { useAction } from "../binding/useAction.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { Switch } from "../ui/Switch.tsx";
import { longDate } from "../wording/dates.ts";
import styles from "./Encryption.module.css";
import type { At, Encryption } from "./encryptionPart.ts";
import { Fingerprint } from "./Fingerprint.tsx";
import type { WindowName } from "./windowName.ts";

interface EncryptionWaysProps {
  readonly encryption: Encryption;
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
export const EncryptionWays = ({ encryption, state, onOpen }: EncryptionWaysProps) => {
  const { fingerprint, key, olderKeys, isAssumed, hasExpired, canHoldKeys, isPublished } = state;
  const publish = useAction(encryption.publish);
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
      {isPublished !== null && (
        <Switch
          label="Senders can find my key"
          description="Whoever knows one of your masks can ask for its key and encrypt before sending. It is the same key for all your masks, so whoever knows two can tell that they have one owner. A key that names an address is never given away."
          isOn={isPublished}
          isPending={publish.isRunning}
          onChange={(on) => publish.run(on)}
        />
      )}
      <ProblemBanner problem={publish.problem} />
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
