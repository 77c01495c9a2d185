import { useState } from "react";
import { createAfterCode } from "../../core/passkeys/afterCode.ts";
import { createPasskeySignIn } from "../../core/passkeys/passkeySignIn.ts";
import { createChunk } from "../loading/chunk.ts";
import { useChunk } from "../loading/Lazy.tsx";
import { useApp, useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { LazyTooltips } from "./LazyTooltips.tsx";
import { ProofQuestion } from "./ProofQuestion.tsx";

const offerChunk = createChunk(
  () => import("../features/passkeys/PasskeyOffer.tsx"),
  (module) => module.PasskeyOffer,
);

const keyChunk = createChunk(
  () => import("../features/passkeys/KeyFromPasskey.tsx"),
  (module) => module.KeyFromPasskey,
);

/** The offer of a passkey to who has just entered a code, until it is answered once. */
const OfferAfterCode = () => {
  const isAfterCode = useObservable(useApp().feature(createAfterCode).isAfterCode$);
  const account = useObservable(useSignedIn().account.account$);
  const isDue = isAfterCode && account !== null && account.passkeyOffer === undefined;
  const { part: PasskeyOffer } = useChunk(offerChunk, isDue);
  return PasskeyOffer && <PasskeyOffer isDue={isDue} />;
};

/** The private key, where the passkey that has signed in opens it. */
const KeyAfterPasskey = () => {
  const passkeys = useApp().feature(createPasskeySignIn);
  const [answer] = useState(() => passkeys.takeAnswer());
  const { part: KeyFromPasskey } = useChunk(keyChunk, answer !== null && answer.secret !== null);
  return KeyFromPasskey && answer && <KeyFromPasskey answer={answer} />;
};

/** The parts that the page of a signed-in user needs a moment after it is shown. */
export const LaterParts = () => (
  <>
    <LazyTooltips />
    <ProofQuestion />
    <OfferAfterCode />
    <KeyAfterPasskey />
  </>
);
