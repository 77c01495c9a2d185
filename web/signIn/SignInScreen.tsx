import { type ReactNode, useEffect, useState } from "react";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { useTitle } from "../binding/useTitle.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { BareScreen } from "../ui/BareScreen.tsx";
import { Card } from "../ui/Card.tsx";
import { classes } from "../ui/classes.ts";
import { CodeSkeleton } from "./CodeSkeleton.tsx";
import { EmailStep, type Intention } from "./EmailStep.tsx";
import { PlanSkeleton } from "./PlanSkeleton.tsx";
import { Purpose } from "./Purpose.tsx";
import styles from "./SignInScreen.module.css";

const codeSteps = makeChunk(
  () => import("./CodeSteps.tsx"),
  (module) => module.CodeSteps,
);

const planStep = makeChunk(
  () => import("./PlanStep.tsx"),
  (module) => module.PlanStep,
);

interface SignInScreenProps {
  /** Stands in the upper corner. */
  readonly corner: ReactNode;
  /** Called when a code is under way: the moment to fetch what comes after it. */
  readonly onCodeSent: () => void;
}

const titleOf = (step: string, brand: string): string =>
  ({ code: "Enter your code", "two-factor": "Two-factor code", plan: "Choose a plan" })[step] ??
  `Sign in to ${brand}`;

/** The page of somebody who is not signed in: one form, several steps (SI1, SI15). */
export const SignInScreen = ({ corner, onCodeSent }: SignInScreenProps) => {
  const { signIn, configuration } = useApp();
  const now = useObservable(signIn.step$);
  const [intention, setIntention] = useState<Intention>("log-in");
  useTitle(titleOf(now.step, configuration.brand));

  useEffect(() => {
    if (now.step !== "email") onCodeSent();
    if (intention === "subscribe") planStep.prefetch();
  }, [now.step, intention, onCodeSent]);

  useEffect(codeSteps.prefetch, []);

  const isCode = now.step === "code" || now.step === "two-factor";
  const isPlan = now.step === "plan";
  return (
    <BareScreen
      brand={configuration.brand}
      corner={corner}
      className={classes(styles.middle, isPlan && styles.single)}
    >
      {!isPlan && <Purpose />}
      <Card
        as="section"
        padding="roomy"
        className={isPlan ? styles.wide : undefined}
        aria-labelledby="sign-in"
      >
        <h1 id="sign-in" className={styles.title}>
          Sign in to {configuration.brand}
        </h1>
        {now.step === "email" && (
          <EmailStep typedBefore={now.email} intention={intention} onIntention={setIntention} />
        )}
        {isCode && <Late chunk={codeSteps} intention={intention} skeleton={<CodeSkeleton />} />}
        {isPlan && <Late chunk={planStep} skeleton={<PlanSkeleton />} />}
      </Card>
    </BareScreen>
  );
};
