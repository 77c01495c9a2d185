import { type ReactNode, useEffect } from "react";
import { notOffered } from "../../core/encryption/notOffered.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { useOpening } from "../loading/useOpening.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";
import { EncryptionWays } from "./EncryptionWays.tsx";
import type { Encryption } from "./encryptionPart.ts";
import type { WindowName } from "./windowName.ts";

const windows = makeChunk(
  () => import("./EncryptionWindow.tsx"),
  (module) => module.EncryptionWindow,
);

type Place = Encryption["state$"]["value"]["at"];

const badgeOf = (at: Place): ReactNode => {
  if (at === "loading") return <Badge>Loading...</Badge>;
  return at === "on" ? <Badge kind="success">Configured</Badge> : <Badge>Not configured</Badge>;
};

const whatItDoes =
  "Every forwarded mail is encrypted to a key of yours, subject included, before it is stored or sent on.";
const whatItWouldDo =
  "Once this is set up, every forwarded mail is encrypted to a key of yours, subject included, before it is stored or sent on.";

const Frame = ({ at, children }: { readonly at: Place; readonly children?: ReactNode }) => (
  <SectionCard
    id="encryption"
    title="Email Encryption"
    level={3}
    aside={<span role="status">{badgeOf(at)}</span>}
    text={at === "on" || at === "loading" ? whatItDoes : whatItWouldDo}
  >
    {children}
  </SectionCard>
);

const Known = ({ encryption }: { readonly encryption: Encryption }) => {
  const { toasts } = useApp();
  const state = useObservable(encryption.state$);
  const { wanted, isOpen, open, close } = useOpening<WindowName>();
  useEffect(windows.prefetch, []);
  const setUp = (): void => (state.at === "not-offered" ? toasts.show("info", notOffered) : open("setup"));
  return (
    <Frame at={state.at}>
      {state.at === "made" && (
        <Banner kind="warning">A key is made and waits for its backup. Until then nothing uses it.</Banner>
      )}
      {state.at === "on" ? (
        <EncryptionWays encryption={encryption} state={state} onOpen={open} />
      ) : (
        <ButtonRow>
          <Button onPress={setUp} isDisabled={state.at === "loading"}>
            {state.at === "made" ? "Continue setup" : "Setup Encryption"}
          </Button>
          <Button variant="quiet" onPress={() => open("read")} isDisabled={state.at === "loading"}>
            Open a mail
          </Button>
          {state.at === "off" && (
            <Button variant="quiet" onPress={() => open("import")} isDisabled={!state.canHoldKeys}>
              Import a backup
            </Button>
          )}
        </ButtonRow>
      )}
      {wanted && (
        <Late
          chunk={windows}
          skeleton={null}
          name={wanted.about}
          isOpen={isOpen}
          encryption={encryption}
          onOpen={open}
          onClose={close}
        />
      )}
    </Frame>
  );
};

/** Whether mail is encrypted, and the way to change that (SG1). */
export const EncryptionCard = () => {
  const { encryption } = useApp();
  return (
    <WithPart late={encryption} skeleton={<Frame at="loading" />}>
      {(part) => <Known encryption={part} />}
    </WithPart>
  );
};
