import type { Selectable } from "kysely";
import type { MaskListSettings } from "../../../../core/masks/maskListSettings.ts";
import { SharedListSettings } from "../../../../core/masks/sharedListSettings.ts";
import type { UsersTable } from "../../../platform/store/tables.ts";

/** Returns the order and layout of the list that a user has chosen; nothing for what only newer versions know. */
export const chosenListSettings = ({
  mask_list_settings: stored,
}: Pick<Selectable<UsersTable>, "mask_list_settings">): { readonly maskListSettings?: MaskListSettings } => {
  const maskListSettings: unknown = stored === null ? undefined : JSON.parse(stored);
  return SharedListSettings.is(maskListSettings) ? { maskListSettings } : {};
};
