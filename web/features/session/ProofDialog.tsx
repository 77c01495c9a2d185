import { useEffect, useState } from "react";
import { codeDigits } from "../../../core/api/textCodecs.ts";
import { minuteMs } from "../../../core/kernel/durations.ts";
import { createAccountProof } from "../../../core/passkeys/accountProof.ts";
import { createPasskeys } from "../../../core/passkeys/passkeys.ts";
import type { ProofQuestion } from "../../../core/session/proofQuestions.ts";
import { recentProofMs } from "../../../core/session/recentProof.ts";
import { fieldMessage, useAction, useFormAction } from "../../react/useAction.ts";
import { useApp, useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { CodeField } from "../../ui/form/CodeField.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";

const waysText = (takesCodes: boolean, hasPasskey: boolean): string => {
  if (!takesCodes) return "a passkey";
  return hasPasskey ? "a code or a passkey" : "a code";
};

/** Asks a signed-in user to confirm with a passkey or a mailed code that it is them, before a change that needs it. */
export const ProofDialog = ({ question }: { readonly question: ProofQuestion }) => {
  const { session } = useApp();
  const state = useObservable(session.state$);
  const email = state.kind === "signed-in" ? state.user.email : "";
  const proof = useFeature(createAccountProof);
  const passkeys = useFeature(createPasskeys);
  const known = useObservable(passkeys.view$);
  const loading = useAction(passkeys.refresh);
  const [isSent, setSent] = useState(false);
  const [code, setCode] = useState("");
  const { answer } = question;
  const send = useFormAction(proof.sendCode, {
    onSuccess: () => {
      setSent(true);
      setCode("");
    },
  });
  const prove = useFormAction(proof.proveByCode, { onSuccess: () => answer(true) });
  const usePasskey = useFormAction(proof.proveByPasskey, {
    onSuccess: (isProven: boolean) => isProven && answer(true),
  });
  const { run: load } = loading;
  useEffect(() => load(), [load]);

  const hasPasskey = passkeys.isSupported() && (known?.passkeys.length ?? 0) > 0;
  const takesCodes = known?.only !== true;
  const codeProblem = fieldMessage(prove.problem, "code");
  return (
    <Dialog
      isOpen
      onClose={() => answer(false)}
      title="Confirm that it is you"
      size="small"
      onSubmit={() => (isSent ? prove.run(code) : send.run())}
      footer={
        <>
          <Button onPress={() => answer(false)}>Cancel</Button>
          {takesCodes && (
            <Button
              type="submit"
              variant="primary"
              isPending={send.isRunning || prove.isRunning}
              pendingLabel={isSent ? "Checking…" : "Sending…"}
            >
              {isSent ? "Confirm" : "Email me a code"}
            </Button>
          )}
        </>
      }
    >
      <p>
        {isSent
          ? `Enter the ${codeDigits}-digit code that was sent to ${email}.`
          : `Confirm with ${waysText(takesCodes, hasPasskey)}. You will not be asked again for ${recentProofMs / minuteMs} minutes.`}
      </p>
      {hasPasskey && (
        <ButtonRow>
          <Button
            isPending={usePasskey.isRunning}
            pendingLabel="Waiting for your passkey…"
            onPress={() => usePasskey.run()}
          >
            Use a passkey
          </Button>
        </ButtonRow>
      )}
      {known?.only && !hasPasskey && (
        <p>
          Your account requires a passkey, and this browser has none at this address. Use another browser.
        </p>
      )}
      {isSent && (
        <>
          <CodeField
            length={codeDigits}
            label="Code"
            value={code}
            onChange={(digits) => {
              setCode(digits);
              prove.clearProblem();
            }}
            onComplete={prove.run}
            error={codeProblem}
            autoFocus
          />
          <Button variant="quiet" isPending={send.isRunning} onPress={send.run}>
            Send another code
          </Button>
        </>
      )}
      <ProblemBanner
        problem={usePasskey.problem ?? send.problem ?? (codeProblem === undefined ? prove.problem : null)}
      />
    </Dialog>
  );
};
