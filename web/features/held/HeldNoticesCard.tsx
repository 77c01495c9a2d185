import { createHeldNoticeSetting } from "../../../core/account/accountSetting.ts";
import { addressText } from "../../navigation/address.ts";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { SettingRow } from "../../ui/layout/SettingRow.tsx";
import { SettingSwitch } from "../account/settingRows.tsx";

/** The switch for mails to the user about held mail, and the way there. */
export const HeldNoticesCard = () => (
  <>
    <SettingSwitch
      text="An email that lists your held mail, with links to release, delete, allow or block. It comes at most once a day, and is encrypted if you have a key."
      create={createHeldNoticeSetting}
    />
    <SettingRow title="What is held now" text="Read it, then release or delete it.">
      <ButtonLink href={addressText(["held"])}>Show held mail</ButtonLink>
    </SettingRow>
  </>
);
