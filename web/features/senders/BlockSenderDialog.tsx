import { useState } from "react";
import { createCorrespondents } from "../../../core/correspondents/correspondents.ts";
import { nameAndAddress } from "../../../core/mail/nameAndAddress.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { ListedSender } from "../../../core/senders/maskSenders.ts";
import { createMaskSenders } from "../../../core/senders/senderCommands.ts";
import { shortDate } from "../../format/dates.ts";
import { LoadedItems } from "../../items/LoadedItems.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "../../ui/layout/MailList.module.css";
import panels from "../../ui/layout/Panels.module.css";
import rows from "../../ui/layout/Rows.module.css";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { BlockButtons } from "./BlockButtons.tsx";

/** The senders that are listed; any other is blocked by its address. */
const shownCount = 20;

interface OfMask {
  readonly mask: Mask;
}

const RecentSenders = ({ mask }: OfMask) => {
  const correspondents = useFeature(createCorrespondents);
  const { maskId, list } = useObservable(correspondents.view$);
  return (
    <LoadedItems
      refresh={() => correspondents.open(mask.id)}
      list={maskId === mask.id ? list : null}
      loadingLabel="Loading the senders"
    >
      {(all) => {
        const senders = all.filter(({ lastReceived }) => lastReceived !== null).slice(0, shownCount);
        if (senders.length === 0) return <p>No senders yet. They appear with the first email.</p>;
        return (
          <ul className={rows.rows} aria-label="Recent senders">
            {senders.map(({ id, name, address, lastReceived, blocked, blockedDomain }) => (
              <li key={id} className={rows.row}>
                <span className={rows.words}>
                  {nameAndAddress({ name, address })}
                  <span className={rows.aside}>{shortDate(lastReceived ?? undefined)}</span>
                </span>
                <ButtonRow>
                  <BlockButtons
                    maskId={mask.id}
                    address={address}
                    isBlocked={blocked}
                    blockedDomain={blockedDomain}
                    onChange={correspondents.reload}
                  />
                </ButtonRow>
              </li>
            ))}
          </ul>
        );
      }}
    </LoadedItems>
  );
};

const OtherSender = ({ mask }: OfMask) => {
  const { block } = useFeature(createMaskSenders);
  const { reload } = useFeature(createCorrespondents);
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const change = useAction((sender: string) => block(mask.id, sender, reload), {
    onSuccess: () => {
      setText("");
      reload();
    },
  });
  return (
    <form
      noValidate
      className={styles.list}
      onSubmit={(event) => {
        event.preventDefault();
        const sender = ListedSender.decode(text);
        if (sender._tag === "Right") change.run(sender.right);
        else setError("Enter an address or a domain, such as ads@shop.example or shop.example");
      }}
    >
      <TextField
        label="Another address or domain"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={(value) => {
          setText(value);
          setError(undefined);
          change.clearProblem();
        }}
        error={error}
        description="A domain stands for all its addresses and sub-domains."
      />
      <ProblemBanner problem={change.problem} />
      <ButtonRow>
        <Button type="submit" isPending={change.isRunning} pendingLabel="Blocking…">
          Block
        </Button>
      </ButtonRow>
    </form>
  );
};

interface BlockSenderDialogProps extends OfMask {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Blocks senders at a mask: those who wrote last with one press, any other by their address or domain. */
export const BlockSenderDialog = ({ mask, isOpen, onClose }: BlockSenderDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={`Block a sender at ${maskName(mask)}`}>
    <p className={panels.muted}>Only this mask refuses their mail.</p>
    <RecentSenders mask={mask} />
    <OtherSender mask={mask} />
  </Dialog>
);
