import { createCorrespondents } from "../../../core/correspondents/correspondents.ts";
import { nameAndAddress } from "../../../core/mail/nameAndAddress.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { shortDate } from "../../format/dates.ts";
import { LoadedItems } from "../../items/LoadedItems.tsx";
import { addressText } from "../../navigation/address.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import rows from "../../ui/layout/Rows.module.css";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { BlockButtons } from "../senders/BlockButtons.tsx";

/** The correspondents that are listed here; the dialog has all. */
const shownCount = 5;

/** The latest correspondents of a mask, and the way to the others. */
export const MaskCorrespondents = ({ mask: { id } }: { readonly mask: Mask }) => {
  const correspondents = useFeature(createCorrespondents);
  const { maskId, list } = useObservable(correspondents.view$);
  return (
    <SectionCard id="mask-correspondents" title="Correspondents">
      <LoadedItems
        key={id}
        refresh={() => correspondents.open(id)}
        list={maskId === id ? list : null}
        loadingLabel="Loading the correspondents"
      >
        {(all) =>
          all.length === 0 ? (
            <p>No correspondents yet. People who write to this mask appear here.</p>
          ) : (
            <ul className={rows.rows} aria-label="Correspondents">
              {all
                .slice(0, shownCount)
                .map(({ id: key, name, address, blocked, blockedDomain, lastReceived, lastSent }) => (
                  <li key={key} className={rows.row}>
                    <span className={rows.words}>
                      <span>
                        {nameAndAddress({ name, address })} ·{" "}
                        {shortDate(lastReceived ?? lastSent ?? undefined)}{" "}
                        {(blocked || blockedDomain !== undefined) && <Badge kind="warning">Blocked</Badge>}
                      </span>
                    </span>
                    <ButtonRow>
                      <BlockButtons
                        maskId={id}
                        address={address}
                        isBlocked={blocked}
                        blockedDomain={blockedDomain}
                        onChange={correspondents.reload}
                      />
                    </ButtonRow>
                  </li>
                ))}
            </ul>
          )
        }
      </LoadedItems>
      <ButtonRow>
        <ButtonLink href={addressText(["masks", id, "correspondents"])}>Reply or write</ButtonLink>
      </ButtonRow>
    </SectionCard>
  );
};
