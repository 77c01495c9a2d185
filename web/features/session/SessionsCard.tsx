import { useEffect } from "react";
import { deviceName } from "../../../core/session/deviceName.ts";
import type { OpenSession } from "../../../core/session/openSessionEndpoints.ts";
import { createOpenSessions, type OpenSessions } from "../../../core/session/openSessions.ts";
import { relativeTime, shortDate } from "../../format/dates.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { useOpening } from "../../loading/useOpening.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import styles from "../../ui/layout/ItemList.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import type { EndSessionTarget } from "./EndSessionDialog.tsx";

interface SessionRowProps {
  readonly session: OpenSession;
  /** It was logged out in this browser, and the server could not be told. */
  readonly isLoggedOut: boolean;
  readonly onEnd: () => void;
}

/** One open session. The current session has no button, because logging out ends it. */
const SessionRow = ({ session, isLoggedOut, onEnd }: SessionRowProps) => {
  const name = deviceName(session.userAgent);
  const used = relativeTime(Date.parse(session.lastUsedAt), Date.now());
  return (
    <ItemRow
      title={
        <>
          {name}
          {session.current && <Badge kind="accent">This device</Badge>}
          {isLoggedOut && <Badge kind="warning">Logged out here</Badge>}
        </>
      }
      text={
        <>
          Last used: {used} · Signed in {shortDate(session.createdAt)}
          {isLoggedOut && " · The server could not be told when you logged out, so it is still open."}
        </>
      }
    >
      {!session.current && (
        <Button size="small" onPress={onEnd} aria-label={`End session: ${name}, last used ${used}`}>
          End session
        </Button>
      )}
    </ItemRow>
  );
};

const endSessionDialog = createChunk(
  () => import("./EndSessionDialog.tsx"),
  (module) => module.EndSessionDialog,
);

const SessionsSkeleton = () => (
  <SkeletonRegion label="Loading your sessions" className={styles.list}>
    {[0, 1].map((row) => (
      <div key={row} className={styles.row}>
        <div>
          <Skeleton width="16ch" />
          <Skeleton width="24ch" />
        </div>
      </div>
    ))}
  </SkeletonRegion>
);

const SessionList = ({ sessions }: { readonly sessions: OpenSessions }) => {
  const list = useObservable(sessions.list$);
  const loggedOutId = useObservable(sessions.loggedOutId$);
  const { run: refresh, isRunning, problem } = useFormAction(sessions.refresh);
  const { opened, isOpen, open, close } = useOpening<EndSessionTarget>();
  useEffect(() => refresh(), [refresh]);
  useEffect(endSessionDialog.prefetch, []);
  const others = list?.filter(({ current }) => !current) ?? [];

  return (
    <>
      <RetryBanner problem={problem} onRetry={() => refresh()} isRetrying={isRunning} />
      {list === null && !problem && <SessionsSkeleton />}
      {list !== null && (
        <ItemList>
          {list.map((session: OpenSession) => (
            <SessionRow
              key={session.id}
              session={session}
              isLoggedOut={session.id === loggedOutId}
              onEnd={() => open({ session })}
            />
          ))}
        </ItemList>
      )}
      {others.length > 0 && (
        <ButtonRow startsQuiet>
          <Button variant="quietDanger" onPress={() => open({ session: null })}>
            End all other sessions
          </Button>
        </ButtonRow>
      )}
      {opened && (
        <Lazy chunk={endSessionDialog} skeleton={null}>
          {(EndSessionDialog) => (
            <EndSessionDialog
              key={opened.key}
              sessions={sessions}
              target={opened.target}
              isOpen={isOpen}
              onClose={close}
            />
          )}
        </Lazy>
      )}
    </>
  );
};

/** The open sessions of the user, with buttons to end them (D41). */
export const SessionsCard = () => {
  const openSessions = useFeature(createOpenSessions);
  return (
    <SectionCard
      id="sessions"
      title="Sessions"
      level={3}
      text="Where you are logged in. End each session that you do not recognize or no longer use."
    >
      <SessionList sessions={openSessions} />
    </SectionCard>
  );
};
