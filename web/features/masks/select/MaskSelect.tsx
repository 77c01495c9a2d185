import { toSearchText } from "../../../../core/kernel/searchText.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { type SearchOption, SearchSelect } from "../../../ui/form/SearchSelect.tsx";
import type { SelectOption, SelectProps } from "../../../ui/form/Select.tsx";

type NamedMask = Pick<Mask, "id" | "description" | "maskEmail">;

interface MaskSelectProps<M extends NamedMask>
  extends Pick<SelectProps<string>, "value" | "onChange" | "description" | "isLabelHidden"> {
  readonly label?: string;
  readonly masks: readonly M[];
  /** What can be chosen in place of a mask. */
  readonly others?: readonly SelectOption<string>[];
  /** Returns what tells a mask from others of its name; its address without this. */
  readonly describe?: (mask: M) => string;
}

/** The masks as options, which typing finds by their names or addresses; `describe` tells a mask from others of its name. */
export const maskOptions = <M extends NamedMask>(
  masks: readonly M[],
  describe: (mask: M) => string = ({ maskEmail }) => maskEmail,
): readonly SearchOption<string>[] =>
  masks.map((mask) => ({
    value: mask.id,
    label: maskName(mask),
    description: describe(mask),
    keywords: mask.maskEmail,
  }));

/** Chooses one of the user's masks, which typing finds by its name or its address. */
export const MaskSelect = <M extends NamedMask>({
  label = "Mask",
  masks,
  others = [],
  describe,
  ...field
}: MaskSelectProps<M>) => (
  <SearchSelect
    {...field}
    label={label}
    searchLabel="Search the masks"
    fold={toSearchText}
    groups={[{ options: others }, { options: maskOptions(masks, describe) }]}
  />
);
