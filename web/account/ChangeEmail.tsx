import { useApp } from "../binding/useApp.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { useOpening } from "../loading/useOpening.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { Button } from "../ui/Button.tsx";

const changeWindow = makeChunk(
  () => import("./ChangeEmailWindow.tsx"),
  (module) => module.ChangeEmailWindow,
);

/** The way to another address, beside the one there is. */
export const ChangeEmail = () => {
  const { profile } = useApp();
  const { wanted, isOpen, open, close } = useOpening();
  return (
    <>
      <Button size="small" aria-label="Change email" aria-haspopup="dialog" onPress={() => open()}>
        Change
      </Button>
      {wanted && (
        <WithPart late={profile} skeleton={null}>
          {(part) => (
            <Late chunk={changeWindow} profile={part} isOpen={isOpen} onClose={close} skeleton={null} />
          )}
        </WithPart>
      )}
    </>
  );
};
