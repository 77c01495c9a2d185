import { useEffect } from "react";
import type { OpenSession } from "../../core/session/openSessionEndpoints.ts";
import type { OpenSessions } from "../../core/session/openSessions.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { useOpening } from "../loading/useOpening.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import { SessionRow } from "./SessionRow.tsx";
import styles from "./Sessions.module.css";
import type { SessionQuestion } from "./SessionsQuestion.tsx";

const questions = makeChunk(
  () => import("./SessionsQuestion.tsx"),
  (module) => module.SessionsQuestion,
);

const Rows = () => (
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

const Known = ({ sessions }: { readonly sessions: OpenSessions }) => {
  const list = useObservable(sessions.list$);
  const { run: refresh, isRunning, problem } = useAction(sessions.refresh);
  const question = useOpening<SessionQuestion>();
  useEffect(() => refresh(), [refresh]);
  useEffect(questions.prefetch, []);
  const others = list?.filter(({ current }) => !current) ?? [];

  return (
    <>
      <ProblemBanner
        problem={problem}
        action={
          <Button size="small" onPress={() => refresh()} isPending={isRunning}>
            Try Again
          </Button>
        }
      />
      {list === null && !problem && <Rows />}
      {list !== null && (
        <ul className={styles.list}>
          {list.map((session: OpenSession) => (
            <SessionRow key={session.id} session={session} onEnd={() => question.open({ session })} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ButtonRow startsQuiet>
          <Button variant="quietDanger" onPress={() => question.open({ session: null })}>
            End all other sessions
          </Button>
        </ButtonRow>
      )}
      {question.wanted && (
        <Late
          chunk={questions}
          sessions={sessions}
          question={question.wanted.about}
          isOpen={question.isOpen}
          onClose={question.close}
          skeleton={null}
        />
      )}
    </>
  );
};

/** Where the user is signed in, and how to end it there (D41). */
export const SessionsCard = () => {
  const { openSessions } = useApp();
  return (
    <SectionCard
      id="sessions"
      title="Sessions"
      text="Where you are signed in. End what you do not know or no longer use."
    >
      <WithPart late={openSessions} skeleton={<Rows />}>
        {(part) => <Known sessions={part} />}
      </WithPart>
    </SectionCard>
  );
};
