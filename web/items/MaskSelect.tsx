import { toSearchText } from "../../core/kernel/searchText.ts";
import type { Mask } from "../../core/masks/mask.ts";
import { maskName } from "../../core/masks/maskListSettings.ts";
import { SearchSelect } from "../ui/form/SearchSelect.tsx";
import type { SelectOption, SelectProps } from "../ui/form/Select.tsx";

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

/** Chooses one of the user's masks, which typing finds by its name or its address. */
export const MaskSelect = <M extends NamedMask>({
  label = "Mask",
  masks,
  others = [],
  describe = ({ maskEmail }) => maskEmail,
  ...field
}: MaskSelectProps<M>) => (
  <SearchSelect
    {...field}
    label={label}
    searchLabel="Search the masks"
    fold={toSearchText}
    groups={[
      { options: others },
      {
        options: masks.map((mask) => ({
          value: mask.id,
          label: maskName(mask),
          description: describe(mask),
          keywords: mask.maskEmail,
        })),
      },
    ]}
  />
);
