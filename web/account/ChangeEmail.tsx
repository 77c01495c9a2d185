import { useState } from "react";
import { useApp } from "../binding/useApp.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { WithPart } from "../loading/WithPart.tsx";
import { Button } from "../ui/Button.tsx";

const changeWindow = makeChunk(
  () => import("./ChangeEmailWindow.tsx"),
  (module) => module.ChangeEmailWindow,
);

/** The way to another address, beside the one there is. */
export const ChangeEmail = () => {
  const { profile } = useApp();
  const [wasOpened, setOpened] = useState(false);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        aria-label="Change email"
        aria-haspopup="dialog"
        onPress={() => {
          setOpened(true);
          setOpen(true);
        }}
      >
        Change
      </Button>
      {wasOpened && (
        <WithPart late={profile} skeleton={null}>
          {(part) => (
            <Late
              chunk={changeWindow}
              profile={part}
              isOpen={isOpen}
              onClose={() => setOpen(false)}
              skeleton={null}
            />
          )}
        </WithPart>
      )}
    </>
  );
};
