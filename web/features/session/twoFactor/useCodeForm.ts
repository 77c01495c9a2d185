import { useRef, useState } from "react";
import type { TwoFactor } from "../../../../core/session/twoFactor/twoFactor.ts";
import { fieldMessage, useFormAction } from "../../../react/useAction.ts";

/** A form with one field for a code. A code that is refused is selected, so that typing replaces it. */
export const useCodeForm = (take: TwoFactor["verify" | "renew" | "disable"]) => {
  const [code, setCode] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const { run, isRunning, problem, clearProblem } = useFormAction(take, {
    onProblem: () => box.current?.select(),
  });
  return {
    isRunning,
    submit: () => run(code),
    field: {
      ref: box,
      name: "code",
      value: code,
      onChange: (typed: string): void => {
        setCode(typed);
        clearProblem();
      },
      error: fieldMessage(problem, "code") ?? (problem?.message || undefined),
    },
  };
};
