import { useState } from "react";
import { useApp } from "../binding/useApp.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { WithPart } from "../loading/WithPart.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";

const question = makeChunk(
  () => import("./DeleteAccountWindow.tsx"),
  (module) => module.DeleteAccountWindow,
);

/** The way out, with a question before it. */
export const DeleteAccountSection = () => {
  const { accountData } = useApp();
  const [wasOpened, setOpened] = useState(false);
  const [isOpen, setOpen] = useState(false);
  return (
    <SectionCard
      id="delete-account"
      title="Delete account"
      text="Removes your account with all its masks, rules, statistics and stored mail. This cannot be undone."
    >
      <ButtonRow startsQuiet>
        <Button
          variant="quietDanger"
          onPress={() => {
            setOpened(true);
            setOpen(true);
          }}
        >
          Delete my account
        </Button>
      </ButtonRow>
      {wasOpened && (
        <WithPart late={accountData} skeleton={null}>
          {(data) => (
            <Late
              chunk={question}
              data={data}
              isOpen={isOpen}
              onClose={() => setOpen(false)}
              skeleton={null}
            />
          )}
        </WithPart>
      )}
    </SectionCard>
  );
};
