import { isActive, type Mask, shownAddress } from "../../core/masks/mask.ts";
import { maskName } from "../../core/masks/maskListSettings.ts";
import { useAction } from "../../web/react/useAction.ts";
import { useObservable } from "../../web/react/useObservable.ts";
import { Badge } from "../../web/ui/Badge.tsx";
import { Button } from "../../web/ui/Button.tsx";
import { CopyableText } from "../../web/ui/CopyableText.tsx";
import { Switch } from "../../web/ui/form/Switch.tsx";
import { ItemRow } from "../../web/ui/layout/ItemList.tsx";
import type { ConnectedApp } from "./popupCommands.ts";

interface MaskItemProps {
  readonly app: ConnectedApp;
  readonly mask: Mask;
  /** The last sender can be blocked here. */
  readonly mayBlock: boolean;
}

/** A mask: its address to copy, its switch, and what one does with it on its site. */
export const MaskItem = ({ app: { masks, commands }, mask, mayBlock }: MaskItemProps) => {
  const copied = useObservable(masks.copied$);
  const copy = useAction(masks.copyAddress);
  const turn = useAction(commands.setActive);
  const block = useAction(commands.blockLastSender);
  const name = maskName(mask);
  const isOn = isActive(mask);
  return (
    <ItemRow
      title={
        <>
          {name}
          {!isOn && <Badge kind="warning">Off</Badge>}
        </>
      }
      text={
        <CopyableText
          text={mask.maskEmail}
          shown={shownAddress(mask, true)}
          onCopy={() => copy.run(mask.id)}
          isCopied={copied === mask.id}
          oneLine="roomy"
        />
      }
      details={
        mayBlock && (
          <div>
            <Button
              size="small"
              variant="quietDanger"
              aria-label={`Block the last sender: ${name}`}
              onPress={() => block.run(mask)}
              isPending={block.isRunning}
            >
              Block the last sender
            </Button>
          </div>
        )
      }
    >
      <Switch
        label={`${name} is on`}
        isLabelHidden
        isOn={isOn}
        isPending={turn.isRunning}
        onChange={(active) => turn.run(mask, active)}
      />
    </ItemRow>
  );
};
