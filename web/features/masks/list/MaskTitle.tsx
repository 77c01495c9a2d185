import type { Mask } from "../../../../core/masks/mask.ts";
import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { createChunk } from "../../../loading/chunk.ts";
import { type Opening, useLazyOpening } from "../../../loading/useOpening.ts";
import { PinIcon } from "../../../ui/icons/PinIcon.tsx";
import { VisuallyHidden } from "../../../ui/VisuallyHidden.tsx";

const fieldChunk = createChunk(
  () => import("../form/DescriptionField.tsx"),
  (module) => module.DescriptionField,
);

/** Manages whether the description of a mask is edited in place. */
export const useRenaming = (): Opening<void> => useLazyOpening(fieldChunk);

interface MaskTitleProps {
  readonly mask: Mask;
  readonly renaming: Opening<void>;
  readonly className?: string | undefined;
  readonly pinClassName?: string | undefined;
  readonly pinSize: number;
}

/** The name of a mask; a press, Enter or F2 edits its description in place. */
export const MaskTitle = ({ mask, renaming, className, pinClassName, pinSize }: MaskTitleProps) => {
  const DescriptionField = fieldChunk.loaded();
  const id = `name-${mask.id}`;
  if (renaming.isOpen && DescriptionField)
    return <DescriptionField mask={mask} titleId={id} onDone={renaming.close} />;
  return (
    <button
      type="button"
      id={id}
      title="Rename"
      onClick={() => renaming.open()}
      onKeyDown={({ key }) => key === "F2" && renaming.open()}
      onPointerEnter={fieldChunk.prefetch}
      onFocus={fieldChunk.prefetch}
    >
      <span className={className}>
        {mask.pinned && (
          <>
            <PinIcon className={pinClassName} size={pinSize} />
            <VisuallyHidden>Pinned: </VisuallyHidden>
          </>
        )}
        {maskName(mask)}
      </span>
    </button>
  );
};
