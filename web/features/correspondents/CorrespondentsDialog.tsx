import { useEffect, useRef, useState } from "react";
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
        <span className={items.title}>
          {name || address}
          {blocked && <Badge kind="warning">Blocked</Badge>}
          {blockedDomain !== undefined && <Badge kind="warning">Blocked: {blockedDomain}</Badge>}
        </span>
        {name !== "" && <span className={items.text}>{address}</span>}
        <span className={items.text}>{lastMails(correspondent)}</span>
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

/** The correspondents that are listed at first; a press shows the others. */
const firstCount = 5;

interface CorrespondentListProps {
  readonly correspondents: Correspondents;
  readonly mask: Mask;
  /** True while the user enters an address, where the focus then stays. */
  readonly isTyping: boolean;
}

const CorrespondentList = ({ correspondents, mask, isTyping }: CorrespondentListProps) => {
  const { maskId, list, more } = useObservable(correspondents.view$);
  const [isWhole, setWhole] = useState(false);
  const element = useRef<HTMLUListElement>(null);
  const isLoaded = maskId === mask.id && list !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once, when the list appears
  useEffect(() => {
    if (isLoaded && !isTyping) element.current?.querySelector<HTMLElement>("a")?.focus();
  }, [isLoaded]);
  return (
    <LoadedItems
      refresh={() => correspondents.open(mask.id)}
      list={isLoaded ? list : null}
      loadingLabel="Loading the correspondents"
    >
      {(all) =>
        all.length === 0 ? (
          <EmptyState title="Nobody yet">
            Who writes to {mask.maskEmail}, and whom you write to from it, is listed here.
          </EmptyState>
        ) : (
          <>
            <ul aria-label="Correspondents" className={items.list} ref={element}>
              {all.slice(0, isWhole ? all.length : firstCount).map((one) => (
                <CorrespondentRow
                  maskId={mask.id}
                  key={one.id}
                  correspondent={one}
                  correspondents={correspondents}
                />
              ))}
            </ul>
            {!isWhole && all.length > firstCount && (
              <ButtonRow>
                <Button onPress={() => setWhole(true)}>Show all {all.length}</Button>
              </ButtonRow>
            )}
            {more && (isWhole || all.length <= firstCount) && (
              <p className={panels.muted}>Older correspondents are not listed.</p>
            )}
          </>
        )
      }
    </LoadedItems>
  );
};

interface CorrespondentsDialogProps {
  readonly mask: Mask;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists whom a mask exchanges mail with, the latest first with the focus, and gives the address for writing to anybody else. */
export const CorrespondentsDialog = ({ mask, isOpen, onClose }: CorrespondentsDialogProps) => {
  const correspondents = useFeature(createCorrespondents);
  const [address, setAddress] = useState("");
  const write = useAction(correspondents.write, { onSuccess: () => setAddress("") });
  const fieldError = fieldMessage(write.problem, "address");
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Reply or write from ${maskName(mask)}`} size="large">
      <div className={panels.tab}>
        <CorrespondentList correspondents={correspondents} mask={mask} isTyping={address !== ""} />
        <h3>Write to somebody else</h3>
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
      </div>
    </Dialog>
  );
};
