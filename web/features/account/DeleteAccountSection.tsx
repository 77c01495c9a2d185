import { createAccountData } from "../../../core/account/accountData.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { useOpening } from "../../loading/useOpening.ts";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";

const dialog = createChunk(
  () => import("./DeleteAccountDialog.tsx"),
  (module) => module.DeleteAccountDialog,
);

/** Offers to delete the account, with a confirmation dialog. */
export const DeleteAccountSection = () => {
  const accountData = useFeature(createAccountData);
  const { opened, isOpen, open, close } = useOpening();
  return (
    <SettingsCard text="Removes your account with all its masks, rules, statistics and stored mail. This cannot be undone.">
      <ButtonRow startsQuiet>
        <Button variant="quietDanger" onPress={() => open()}>
          Delete my account
        </Button>
      </ButtonRow>
      {opened && (
        <Lazy chunk={dialog} skeleton={null}>
          {(DeleteAccountDialog) => (
            <DeleteAccountDialog data={accountData} isOpen={isOpen} onClose={close} />
          )}
        </Lazy>
      )}
    </SettingsCard>
  );
};
