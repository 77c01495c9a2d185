import type { Mask } from "../../../../core/masks/mask.ts";
import { maskName } from "../../../../core/masks/maskListSettings.ts";
import { Count } from "../../../ui/Stat.tsx";
import type { OpenMaskDialog } from "../maskDialog.ts";

/** What is done in the dialogs that figures open. */
const actions = { block: "Block a sender at", correspondents: "Reply or write from" };

interface FigureButtonProps {
  readonly mask: Mask;
  readonly opens: keyof typeof actions;
  readonly count: number;
  readonly className?: string | undefined;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
}

/** A figure of a mask that opens the dialog in which it is raised: the shortest way to reply, and to block a sender. */
export const FigureButton = ({ mask, opens, count, className, onOpen, onIntent }: FigureButtonProps) => {
  const action = `${actions[opens]} ${maskName(mask)}`;
  return (
    <button
      type="button"
      className={className}
      title={action}
      aria-label={`${action}: ${count}`}
      onClick={() => onOpen({ kind: opens, mask })}
      onPointerEnter={onIntent}
      onFocus={onIntent}
    >
      <Count count={count} />
    </button>
  );
};
