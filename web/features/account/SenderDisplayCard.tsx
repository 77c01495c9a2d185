import { createSenderDisplay } from "../../../core/account/accountSetting.ts";
import type { SenderShown } from "../../../core/mail/forwardedFrom.ts";
import type { SelectOption } from "../../ui/form/Select.tsx";
import { SettingChoiceCard } from "./SettingChoiceCard.tsx";

const senderOptions: readonly SelectOption<SenderShown>[] = [
  { value: "full", label: "Name and address", description: "Shop - orders at shop.example" },
  { value: "mask", label: "Name and mask", description: "Shop (the mask's description)" },
  { value: "address", label: "Address only", description: "orders at shop.example" },
];

/** The choice of how the sender of forwarded mail is shown. */
export const SenderDisplayCard = () => (
  <SettingChoiceCard
    label="Show the sender as"
    text="How your mail program names the sender. A sender who is not verified is always marked."
    options={senderOptions}
    create={createSenderDisplay}
  />
);
