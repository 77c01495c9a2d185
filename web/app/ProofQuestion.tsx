import { useEffect } from "react";
import { createChunk } from "../loading/chunk.ts";
import { useChunk } from "../loading/Lazy.tsx";
import { useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";

const proofChunk = createChunk(
  () => import("../features/session/ProofDialog.tsx"),
  (module) => module.ProofDialog,
);

/** The question whether it is the user; a change that waits for it is given up when it cannot be loaded. */
export const ProofQuestion = () => {
  const question = useObservable(useSignedIn().proofQuestion$);
  const { part: ProofDialog, isFailed } = useChunk(proofChunk, question !== null);
  useEffect(() => {
    if (isFailed) question?.answer(false);
  }, [isFailed, question]);
  return ProofDialog && question && <ProofDialog question={question} />;
};
