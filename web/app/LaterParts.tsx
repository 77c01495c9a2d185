import { useRef, useState } from "react";
import { createAccountListSettings } from "../../core/account/accountListSettings.ts";
import { createCodes } from "../../core/codes/codes.ts";
import { isKeyOffered } from "../../core/encryption/isKeyOffered.ts";
import { createWaitingMasks } from "../../core/masks/waitingMasks.ts";
import { createAfterCode } from "../../core/passkeys/afterCode.ts";
import { createPasskeySignIn } from "../../core/passkeys/passkeySignIn.ts";
import { createChunk } from "../loading/chunk.ts";
import { GuardedExtra } from "../loading/Guarded.tsx";
import { useChunk } from "../loading/Lazy.tsx";
import { giveFocus } from "../navigation/focus.ts";
import { useApp, useFeature, useSignedIn } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import styles from "./connection/OfflineHelp.module.css";
import { OfflineHelp } from "./connection/OfflineHelp.tsx";
import { LazyTooltips } from "./LazyTooltips.tsx";
import { ProofQuestion } from "./ProofQuestion.tsx";
import { useAppBadge } from "./useAppBadge.ts";

const passkeyOfferChunk = createChunk(
  () => import("../features/passkeys/PasskeyOffer.tsx"),
  (module) => module.PasskeyOffer,
);

const keyOfferChunk = createChunk(
  () => import("../features/encryption/KeyOffer.tsx"),
  (module) => module.KeyOffer,
);

const deviceChunk = createChunk(
  () => import("../features/push/ClaimDevice.tsx"),
  (module) => module.ClaimDevice,
);

const keyChunk = createChunk(
  () => import("../features/passkeys/KeyFromPasskey.tsx"),
  (module) => module.KeyFromPasskey,
);

/**
 * The one thing that is offered above the list, where nothing else is said there: a passkey to who has just entered a code, or
 * else a key. After an answer nothing more is offered in this session, also after a reload.
 */
const Offer = ({ onAnswered }: { readonly onAnswered: () => void }) => {
  const { feature, signIn } = useApp();
  const { account, masks, realtime } = useSignedIn();
  const current = useObservable(account.account$);
  const isAfterCode = useObservable(feature(createAfterCode).isAfterCode$);
  const isOffline = useObservable(realtime.needsHelp$);
  const { warning, leftOut } = useObservable(masks.view$);
  const place = useRef<HTMLDivElement>(null);
  const isFree = !isOffline && warning === null && leftOut === "" && !signIn.areOffersEnded();
  const isPasskeyDue = isFree && isAfterCode && current !== null && current.passkeyOffer === undefined;
  const isKeyDue = isFree && isKeyOffered(current);
  const { part: PasskeyOffer } = useChunk(passkeyOfferChunk, isPasskeyDue);
  const { part: KeyOffer } = useChunk(keyOfferChunk, isKeyDue);
  const answered = (): void => {
    signIn.endOffers();
    if (place.current?.contains(document.activeElement)) giveFocus("content");
    onAnswered();
  };
  const keyOffer = isKeyDue && KeyOffer && <KeyOffer onAnswered={answered} />;
  return (
    <div className={styles.place} ref={place}>
      {isPasskeyDue ? PasskeyOffer && <PasskeyOffer onAnswered={answered} otherwise={keyOffer} /> : keyOffer}
    </div>
  );
};

/** The private key, where the passkey that has signed in opens it. */
const KeyAfterPasskey = () => {
  const passkeys = useApp().feature(createPasskeySignIn);
  const [answer] = useState(() => passkeys.takeAnswer());
  const { part: KeyFromPasskey } = useChunk(keyChunk, answer !== null && answer.secret !== null);
  return KeyFromPasskey && answer && <KeyFromPasskey answer={answer} />;
};

/** What this browser shows beside the page: the number on the app's icon, and notifications, where the user allows these. */
const ThisDevice = () => {
  useAppBadge();
  const { part: ClaimDevice } = useChunk(deviceChunk, window.Notification?.permission === "granted");
  return ClaimDevice && <ClaimDevice />;
};

/** The parts that the page of a signed-in user needs a moment after it is shown. */
export const LaterParts = ({ isFirstScreen }: { readonly isFirstScreen: boolean }) => {
  const [isOfferAnswered, setOfferAnswered] = useState(false);
  useFeature(createAccountListSettings);
  useFeature(createWaitingMasks);
  useFeature(createCodes);
  return (
    <>
      <OfflineHelp />
      <LazyTooltips />
      <ProofQuestion />
      {isFirstScreen && !isOfferAnswered && (
        <GuardedExtra part="offer">
          <Offer onAnswered={() => setOfferAnswered(true)} />
        </GuardedExtra>
      )}
      <KeyAfterPasskey />
      <GuardedExtra part="device">
        <ThisDevice />
      </GuardedExtra>
    </>
  );
};
