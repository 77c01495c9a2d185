import { useEffect, useState } from "react";
import { type ApiScope, hasScope } from "../../core/api/apiScope.ts";
import { codeLimits } from "../../core/codes/codeEndpoints.ts";
import { isActive, type Mask, plainFieldsOf, shownAddress } from "../../core/masks/mask.ts";
import { maskName } from "../../core/masks/maskListSettings.ts";
import { useAction } from "../../web/react/useAction.ts";
import { useObservable } from "../../web/react/useObservable.ts";
import { Badge } from "../../web/ui/Badge.tsx";
import { Button } from "../../web/ui/Button.tsx";
import { CopyableText } from "../../web/ui/CopyableText.tsx";
import { Switch } from "../../web/ui/form/Switch.tsx";
import { ItemRow } from "../../web/ui/layout/ItemList.tsx";
import styles from "./Popup.module.css";
import type { ConnectedApp, LastCode } from "./popupCommands.ts";

/** The newest code in the mail of a mask, to copy; nothing without one. */
const CodeLine = ({ app: { commands, copying }, mask }: Pick<MaskItemProps, "app" | "mask">) => {
  const [last, setLast] = useState<LastCode | null>(null);
  const load = useAction(commands.lastCode, { onSuccess: setLast });
  const copy = useAction(commands.copyCode);
  const copied = useObservable(copying.copied$);
  const { run } = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a mask, whatever else changes in it
  useEffect(() => run(mask), [run, mask.id]);
  if (last === null) return null;
  if (last.code === null) return <p>A code is encrypted to your key. Read it in the app.</p>;
  const { code } = last;
  return (
    <CopyableText
      text={code}
      label="Copy the code"
      onCopy={() => copy.run(code)}
      isCopied={copied === code}
      size="large"
    />
  );
};

/** The codes of a mask: the newest one, and the switch that has them found. */
const Codes = ({ app, mask }: Pick<MaskItemProps, "app" | "mask">) => {
  const turn = useAction(app.commands.setShowCodes);
  const { showCodes } = plainFieldsOf(mask);
  return (
    <>
      {showCodes && <CodeLine app={app} mask={mask} />}
      <Switch
        label="Show codes at once"
        description={`Codes in its mail are found before it is encrypted, and kept for ${codeLimits.minutes} minutes.`}
        isOn={showCodes}
        isPending={turn.isRunning}
        onChange={(isOn) => turn.run(mask, isOn)}
      />
    </>
  );
};

interface MaskItemProps {
  readonly app: ConnectedApp;
  readonly mask: Mask;
  /** The mask is of the site that the popup was opened on. */
  readonly isOfSite: boolean;
  readonly scopes: readonly ApiScope[];
}

/** A mask: its address to copy, its switch, and what one does with it on its site. */
export const MaskItem = ({ app, mask, isOfSite, scopes }: MaskItemProps) => {
  const { masks, commands } = app;
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
    >
      <Switch
        label={`${name} is on`}
        isLabelHidden
        isOn={isOn}
        isPending={turn.isRunning}
        onChange={(active) => turn.run(mask, active)}
      />
      {isOfSite && (
        <div className={styles.more}>
          {hasScope(scopes, "codes:read") && <Codes app={app} mask={mask} />}
          {hasScope(scopes, "log:read") && (
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
          )}
        </div>
      )}
    </ItemRow>
  );
};
