import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { CodeStep } from "./CodeStep.tsx";
import type { Intention } from "./EmailStep.tsx";
import { TwoFactorStep } from "./TwoFactorStep.tsx";

interface CodeStepsProps {
  readonly intention: Intention;
}

/** The steps in which a code is entered: fetched while the address is being typed. */
export const CodeSteps = ({ intention }: CodeStepsProps) => {
  const { signIn } = useApp();
  const now = useObservable(signIn.step$);
  if (now.step === "code") return <CodeStep email={now.email} intention={intention} />;
  return now.step === "two-factor" && <TwoFactorStep />;
};
