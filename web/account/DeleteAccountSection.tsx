import { createChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { useOpening } from "../loading/useOpening.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { useApp } from "../react/useApp.ts";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/layout.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";

const dialog = createChunk(
  () => import("./DeleteAccountDialog.tsx"),
  (module) => module.DeleteAccountDialog,
);

/** Offers to delete the account, with a confirmation dialog. */
export const DeleteAccountSection = () => {
  const { accountData } = useApp();
  const { wanted, isOpen, open, close } = useOpening();
  return (
    <SectionCard
      id="delete-account"
      title="Delete account"
      text="Removes your account with all its masks, rules, statistics and stored mail. This cannot be undone."
    >
      <ButtonRow startsQuiet>
        <Button variant="quietDanger" onPress={() => open()}>
          Delete my account
        </Button>
      </ButtonRow>
      {wanted && (
        <WithPart late={accountData} skeleton={null}>
          {(data) => <Late chunk={dialog} data={data} isOpen={isOpen} onClose={close} skeleton={null} />}
        </WithPart>
      )}
    </SectionCard>
  );
};
