import { deviceName } from "../../core/session/deviceName.ts";
import type { OpenSession } from "../../core/session/openSessionEndpoints.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { shortDate } from "../wording/dates.ts";
import { momentAgo } from "../wording/moments.ts";
import styles from "./Sessions.module.css";

interface SessionRowProps {
  readonly session: OpenSession;
  readonly onEnd: () => void;
}

/** One place where the user is signed in; the one they are at is ended by logging out. */
export const SessionRow = ({ session, onEnd }: SessionRowProps) => {
  const name = deviceName(session.userAgent);
  const used = momentAgo(Date.parse(session.lastUsedAt), Date.now());
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <span className={styles.device}>
          {name}
          {session.current && <Badge kind="accent">This device</Badge>}
        </span>
        <span className={styles.text}>
          Last used: {used} · Signed in {shortDate(session.createdAt)}
        </span>
      </div>
      {!session.current && (
        <Button size="small" onPress={onEnd} aria-label={`End session: ${name}, last used ${used}`}>
          End session
        </Button>
      )}
    </li>
  );
};
