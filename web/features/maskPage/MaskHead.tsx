import { type ReactNode, type RefObject, useEffect } from "react";
import { toSearchText } from "../../../core/kernel/searchText.ts";
import { isActive, type Mask, plainFieldsOf } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { labelSearch } from "../../../core/masks/maskSearch.ts";
import { shortDate } from "../../format/dates.ts";
import { addressText } from "../../navigation/address.ts";
import { useAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { CopyableText } from "../../ui/CopyableText.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { LetterTile } from "../../ui/LetterTile.tsx";
import { TagLink } from "../../ui/TagLink.tsx";
import { MaskCodes } from "../codes/MaskCodes.tsx";
import { expiryText } from "../masks/expiryText.ts";
import { DescriptionField } from "../masks/form/DescriptionField.tsx";
import { RenameButton, useRenaming } from "../masks/list/MaskTitle.tsx";
import { leaveMask } from "../masks/list/returnToRow.ts";
import styles from "./MaskHead.module.css";

interface MaskHeadProps {
  readonly mask: Mask;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  /** What can be done with the mask. */
  readonly children: ReactNode;
}

/** The destinations of the mask, its age, its end and its labels. */
const Facts = ({ mask }: Pick<MaskHeadProps, "mask">) => {
  const { account } = useSignedIn();
  const colors = useObservable(account.account$)?.settings?.labelColors;
  const expires = expiryText(mask.expiry, Date.now());
  const destinations = mask.destinations ?? [mask.forwardTo];
  return (
    <div className={styles.facts}>
      {plainFieldsOf(mask).keptInApp === "no" ? (
        <span>
          Forwards to <span className={styles.strong}>{destinations.join(", ")}</span>
        </span>
      ) : (
        <span>Its mail stays in the app</span>
      )}
      {mask.madeFor && (
        <span>
          Made for <span className={styles.strong}>{mask.madeFor}</span>
        </span>
      )}
      <span>Created {shortDate(mask.created)}</span>
      {expires !== "" && <span>{expires}</span>}
      {!isActive(mask) && <Badge kind="warning">Switched off</Badge>}
      {(mask.labels ?? []).map((label) => (
        <TagLink
          key={label}
          name={label}
          color={colors?.[toSearchText(label)]}
          title={`Show masks labeled ${label}`}
          href={addressText(["masks"], { search: labelSearch(label) })}
        />
      ))}
    </div>
  );
};

/** The name of a mask, which a pencil or F2 changes, its switch, its address, what is set for it, and what can be done. */
export const MaskHead = ({ mask, heading, children }: MaskHeadProps) => {
  const { masks } = useSignedIn();
  const pending = useObservable(masks.pendingIds$);
  const copied = useObservable(masks.copied$);
  const toggle = useAction(masks.setActive);
  const copy = useAction(masks.copyAddress);
  const renaming = useRenaming();
  const id = `name-${mask.id}`;
  useEffect(() => () => leaveMask(mask.id), [mask.id]);
  return (
    <div className={styles.head}>
      <LetterTile name={maskName(mask)} size="large" isMuted={!isActive(mask)} />
      <div className={styles.name}>
        {renaming.isOpen ? (
          <DescriptionField mask={mask} titleId={id} onDone={renaming.close} />
        ) : (
          <>
            <h1 ref={heading} id={id} tabIndex={-1} onKeyDown={({ key }) => key === "F2" && renaming.open()}>
              {maskName(mask)}
            </h1>
            <RenameButton mask={mask} renaming={renaming} />
          </>
        )}
      </div>
      <Switch
        label={`${maskName(mask)} forwards mail`}
        isLabelHidden
        isOn={isActive(mask)}
        isPending={pending.has(mask.id)}
        onChange={(on) => toggle.run(mask.id, on)}
      />
      <div className={styles.about}>
        <CopyableText
          text={mask.maskEmail}
          onCopy={() => copy.run(mask.id)}
          isCopied={copied === mask.id}
          isMuted
        />
        <Facts mask={mask} />
        <MaskCodes mask={mask} />
        {mask.destinationStatus === "awaiting-confirmation" && (
          <Banner kind="warning">
            Open the link in the email to {mask.forwardTo}. Until then nothing is forwarded.
          </Banner>
        )}
        {children}
      </div>
    </div>
  );
};
