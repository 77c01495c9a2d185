import { useState } from "react";
import type { Correspondent } from "../../../core/correspondents/correspondentEndpoints.ts";
import { type Correspondents, createCorrespondents } from "../../../core/correspondents/correspondents.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { shortDate } from "../../format/dates.ts";
import { LoadedItems } from "../../items/LoadedItems.tsx";
import { fieldMessage, useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { CopyableText } from "../../ui/CopyableText.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import items from "../../ui/layout/ItemList.module.css";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "../../ui/layout/MailList.module.css";
import panels from "../../ui/layout/Panels.module.css";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { CreateRule } from "../rules/form/CreateRule.tsx";
import { BlockButtons } from "../senders/BlockButtons.tsx";

const lastMails = ({ lastReceived, lastSent }: Correspondent): string => {
  const words = [
    ...(lastReceived === null ? [] : [`Last email from them ${shortDate(lastReceived)}`]),
    ...(lastSent === null ? [] : [`Your last email ${shortDate(lastSent)}`]),
  ];
  return words.length === 0 ? "No mail yet" : words.join(" · ");
};

interface RowProps {
  readonly maskId: string;
  readonly correspondent: Correspondent;
  readonly correspondents: Correspondents;
}

/** One correspondent; to forget asks in its place, because earlier mails can no longer be answered then. */
const CorrespondentRow = ({ maskId, correspondent, correspondents }: RowProps) => {
  const { id, name, address, reverseAddress, blocked, blockedDomain } = correspondent;
  const copied = useObservable(correspondents.copied$);
  const copy = useAction(correspondents.copy);
  const forget = useAction(correspondents.forget);
  const [isAsking, setAsking] = useState(false);
  return (
    <li className={items.row}>
      <div className={items.words}>
        <span className={items.title}>{name || address}</span>
        {name !== "" && <span className={items.text}>{address}</span>}
        <span className={items.text}>{lastMails(correspondent)}</span>
        {blocked && <Badge kind="warning">Blocked</Badge>}
        {blockedDomain !== undefined && <Badge kind="warning">Blocked: {blockedDomain}</Badge>}
      </div>
      <CopyableText
        text={reverseAddress}
        label={`Copy the address for writing to ${address},`}
        onCopy={() => copy.run(correspondent)}
        isCopied={copied === id}
        size="small"
      />
      {isAsking ? (
        <div className={items.words}>
          <p>Your answers to their earlier emails no longer reach them.</p>
          <ProblemBanner problem={forget.problem} />
          <ButtonRow>
            <Button size="small" onPress={() => setAsking(false)} isDisabled={forget.isRunning} autoFocus>
              Keep
            </Button>
            <Button
              size="small"
              variant="danger"
              onPress={() => forget.run(id)}
              isPending={forget.isRunning}
              pendingLabel="Forgetting…"
            >
              Forget
            </Button>
          </ButtonRow>
        </div>
      ) : (
        <ButtonRow>
          <ButtonLink size="small" href={`mailto:${reverseAddress}`} aria-label={`Write to ${address}`}>
            Write an email
          </ButtonLink>
          <BlockButtons
            maskId={maskId}
            address={address}
            isBlocked={blocked}
            blockedDomain={blockedDomain}
            onChange={correspondents.reload}
          />
          <CreateRule maskId={maskId} sender={{ name, address }} />
          <Button
            size="small"
            variant="quietDanger"
            onPress={() => setAsking(true)}
            aria-label={`Forget ${address}`}
          >
            Forget
          </Button>
        </ButtonRow>
      )}
    </li>
  );
};

interface CorrespondentListProps {
  readonly correspondents: Correspondents;
  readonly mask: Mask;
}

const CorrespondentList = ({ correspondents, mask }: CorrespondentListProps) => {
  const { maskId, list, more } = useObservable(correspondents.view$);
  return (
    <>
      <LoadedItems
        refresh={() => correspondents.open(mask.id)}
        list={maskId === mask.id ? list : null}
        loadingLabel="Loading the correspondents"
      >
        {(all) =>
          all.length === 0 ? (
            <EmptyState title="Nobody yet">
              Who writes to {mask.maskEmail}, and whom you write to from it, is listed here.
            </EmptyState>
          ) : (
            <ul aria-label="Correspondents" className={items.list}>
              {all.map((one) => (
                <CorrespondentRow
                  maskId={mask.id}
                  key={one.id}
                  correspondent={one}
                  correspondents={correspondents}
                />
              ))}
            </ul>
          )
        }
      </LoadedItems>
      {more && <p className={panels.muted}>Older correspondents are not listed.</p>}
    </>
  );
};

interface CorrespondentsDialogProps {
  readonly mask: Mask;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Gives the addresses for writing from a mask, and lists whom it exchanges mail with. */
export const CorrespondentsDialog = ({ mask, isOpen, onClose }: CorrespondentsDialogProps) => {
  const correspondents = useFeature(createCorrespondents);
  const [address, setAddress] = useState("");
  const write = useAction(correspondents.write, { onSuccess: () => setAddress("") });
  const fieldError = fieldMessage(write.problem, "address");
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Reply or write from ${maskName(mask)}`} size="large">
      <div className={panels.tab}>
        <form
          className={styles.list}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            write.run(address);
          }}
        >
          <TextField
            label="Address to write to"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={address}
            onChange={(value) => {
              setAddress(value);
              write.clearProblem();
            }}
            error={fieldError}
            description={`You get an address to write to. Mail that you send to it from your own mailbox leaves from ${mask.maskEmail}.`}
          />
          <ButtonRow>
            <Button type="submit" variant="primary" isPending={write.isRunning} pendingLabel="Getting…">
              Get address
            </Button>
          </ButtonRow>
          {fieldError === undefined && <ProblemBanner problem={write.problem} />}
        </form>
        <h3>Correspondents</h3>
        <CorrespondentList correspondents={correspondents} mask={mask} />
      </div>
    </Dialog>
  );
};
