import { deviceName } from "../../../core/session/deviceName.ts";
import type { OpenSession } from "../../../core/session/openSessionEndpoints.ts";
import { createOpenSessions } from "../../../core/session/openSessions.ts";
import { relativeTime, shortDate } from "../../format/dates.ts";
import { ItemsCard } from "../../items/ItemsCard.tsx";
import { createChunk } from "../../loading/chunk.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";

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
          {isLoggedOut &&
            " · The server could not be reached when you logged out, so this session is still open."}
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

/** The open sessions of the user, with buttons to end them (D41). */
export const SessionsCard = () => {
  const sessions = useFeature(createOpenSessions);
  const loggedOutId = useObservable(sessions.loggedOutId$);
  return (
    <ItemsCard
      text="Where you are logged in. End each session that you do not recognize or no longer use."
      refresh={sessions.refresh}
      list={useObservable(sessions.list$)}
      loadingLabel="Loading your sessions"
      dialogs={endSessionDialog}
      dialogProps={{ sessions }}
    >
      {(list, open) => (
        <>
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
          {list.some(({ current }) => !current) && (
            <ButtonRow startsQuiet>
              <Button variant="quietDanger" onPress={() => open({ session: null })}>
                End all other sessions
              </Button>
            </ButtonRow>
          )}
        </>
      )}
    </ItemsCard>
  );
};
