import { type ReactNode, useEffect, useState } from "react";
import { type ClientConfiguration, sellsPlans } from "../../../../core/api/configuration.ts";
import { createChunk } from "../../../loading/chunk.ts";
import { Lazy } from "../../../loading/Lazy.tsx";
import { useApp, useTitle } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { classes } from "../../../ui/classes.ts";
import { Skeleton } from "../../../ui/feedback/Skeleton.tsx";
import { BareScreen } from "../../../ui/layout/BareScreen.tsx";
import { Card } from "../../../ui/layout/Card.tsx";
import { EmailStep, type Intention } from "./EmailStep.tsx";
import { Purpose } from "./Purpose.tsx";
import styles from "./SignInScreen.module.css";
import { CodeSkeleton, PlanSkeleton } from "./StepSkeletons.tsx";

const codeSteps = createChunk(
  () => import("./CodeSteps.tsx"),
  (module) => module.CodeSteps,
);

const arrival = createChunk(
  () => import("./Arrival.tsx"),
  (module) => module.Arrival,
);

const otherSignInMethods = createChunk(
  () => import("./OtherSignInMethods.tsx"),
  (module) => module.OtherSignInMethods,
);

const planStep = createChunk(
  () => import("./PlanStep.tsx"),
  (module) => module.PlanStep,
);

interface SignInScreenProps {
  /** Content of the upper corner, such as the theme toggle. */
  readonly corner: ReactNode;
  /** Called when the code has been sent, to prefetch the next page. */
  readonly onCodeSent: () => void;
}

const titleOf = (step: string, configuration: ClientConfiguration): string =>
  ({
    code: "Enter your code",
    "two-factor": "Two-factor code",
    plan: sellsPlans(configuration) ? "Choose a plan" : "Create your account",
  })[step] ?? `Sign in to ${configuration.brand}`;

/** The page of a signed-out visitor: one form with several steps (SI1, SI15). */
export const SignInScreen = ({ corner, onCodeSent }: SignInScreenProps) => {
  const { signIn, configuration } = useApp();
  const state = useObservable(signIn.step$);
  const [intention, setIntention] = useState<Intention>("log-in");
  const [hasArrived] = useState(() => /^#s(ign-in|so)/.test(window.location.hash));
  useTitle(titleOf(state.step, configuration));

  useEffect(() => {
    if (state.step !== "email") onCodeSent();
    if (intention === "subscribe") planStep.prefetch();
  }, [state.step, intention, onCodeSent]);

  useEffect(codeSteps.prefetch, []);

  const isCode = state.step === "code" || state.step === "two-factor";
  const isPlan = state.step === "plan";
  const provider = configuration.singleSignOn;
  const arrived = hasArrived && (
    <Lazy chunk={arrival} skeleton={null}>
      {(Arrival) => <Arrival />}
    </Lazy>
  );
  const otherWay = (
    <Lazy chunk={otherSignInMethods} skeleton={provider && <Skeleton height="control" shape="block" />}>
      {(OtherSignInMethods) => <OtherSignInMethods provider={provider} arrival={arrived} />}
    </Lazy>
  );
  return (
    <BareScreen
      brand={configuration.brand}
      corner={corner}
      className={classes(
        styles.middle,
        isPlan && (sellsPlans(configuration) ? styles.single : styles.narrow),
      )}
    >
      {!isPlan && <Purpose />}
      <Card as="section" aria-labelledby="sign-in">
        <h1 id="sign-in" className={styles.title}>
          Sign in to {configuration.brand}
        </h1>
        {state.step === "email" &&
          (provider?.only ? (
            otherWay
          ) : (
            <EmailStep
              initialEmail={state.email}
              intention={intention}
              onIntentionChange={setIntention}
              arrival={arrived}
            >
              {otherWay}
            </EmailStep>
          ))}
        {isCode && (
          <Lazy chunk={codeSteps} skeleton={<CodeSkeleton />}>
            {(CodeSteps) => <CodeSteps intention={intention} />}
          </Lazy>
        )}
        {isPlan && (
          <Lazy chunk={planStep} skeleton={<PlanSkeleton />}>
            {(PlanStep) => <PlanStep />}
          </Lazy>
        )}
      </Card>
    </BareScreen>
  );
};
