import type { Mask } from "../../../../core/masks/mask.ts";
import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { createChunk } from "../../../loading/chunk.ts";
import { type Opening, useLazyOpening } from "../../../loading/useOpening.ts";
import { addressText } from "../../../navigation/address.ts";
import { PageLink } from "../../../navigation/PageLink.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { EditIcon } from "../../../ui/icons/EditIcon.tsx";
import { PinIcon } from "../../../ui/icons/PinIcon.tsx";
import { VisuallyHidden } from "../../../ui/VisuallyHidden.tsx";
import styles from "./MaskTitle.module.css";

const fieldChunk = createChunk(
  () => import("../form/DescriptionField.tsx"),
  (module) => module.DescriptionField,
);

/** Manages whether the description of a mask is edited in place. */
export const useRenaming = (): Opening<void> => useLazyOpening(fieldChunk);

interface RenamingProps {
  readonly mask: Mask;
  readonly renaming: Opening<void>;
  readonly className?: string | undefined;
}

interface MaskTitleProps extends RenamingProps {
  readonly pinSize: number;
}

/** The name of a mask, which opens the mask's page; F2 edits its description in place. */
export const MaskTitle = ({ mask, renaming, className, pinSize }: MaskTitleProps) => {
  const DescriptionField = fieldChunk.loaded();
  const id = `name-${mask.id}`;
  if (renaming.isOpen && DescriptionField)
    return <DescriptionField mask={mask} titleId={id} onDone={renaming.close} />;
  return (
    <PageLink
      href={addressText(["mask"], { id: mask.id })}
      id={id}
      className={className}
      data-mask={mask.id}
      onKeyDown={({ key }) => key === "F2" && renaming.open()}
      onPointerEnter={fieldChunk.prefetch}
      onFocus={fieldChunk.prefetch}
    >
      {mask.pinned && (
        <>
          <PinIcon className={styles.pin} size={pinSize} />
          <VisuallyHidden>Pinned: </VisuallyHidden>
        </>
      )}
      {maskName(mask)}
    </PageLink>
  );
};

/** The pencil beside the name of a mask. */
export const RenameButton = ({ mask, renaming, className }: RenamingProps) => (
  <IconButton
    label={`Rename ${maskName(mask)}`}
    icon={<EditIcon size={16} />}
    size="small"
    className={className}
    onPress={() => renaming.open()}
    onPointerEnter={fieldChunk.prefetch}
    onFocus={fieldChunk.prefetch}
  />
);
