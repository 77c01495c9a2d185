import { type ReactNode, useId } from "react";
import type { Held } from "../../../core/held/held.ts";
import { type HeldMail, maxReadBytes } from "../../../core/held/heldMail.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { maskText } from "../../../core/masks/maskText.ts";
import { exactTime, shortDate } from "../../format/dates.ts";
import { formatBytes } from "../../format/numbers.ts";
import { useAction } from "../../react/useAction.ts";
import { useApp, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { MailLine } from "../../ui/layout/MailLine.tsx";
import panels from "../../ui/layout/Panels.module.css";
import { CreateRule } from "../rules/form/CreateRule.tsx";
import { heldLabels, isHeldOnArrival, reasonOf, releaseLabel, senderOf, subjectOf } from "./heldTexts.ts";

interface DecisionsProps {
  readonly mail: HeldMail;
  readonly held: Held;
  /** True if the server cannot be asked to do anything. */
  readonly isDisabled: boolean;
  readonly onRead: () => void;
  readonly onSendElsewhere: () => void;
  readonly onBlock: () => void;
  readonly onDelete: () => void;
}

interface HeldMailLineProps extends DecisionsProps {
  /** True for the mail that the page was opened for. */
  readonly isTarget: boolean;
  /** True if it is open at first. */
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean, isRange: boolean) => void;
}

const Decisions = ({
  mail,
  held,
  isDisabled,
  titleId,
  onRead,
  onSendElsewhere,
  onBlock,
  onDelete,
  release,
}: DecisionsProps & { readonly titleId: string; readonly release: ReactNode }) => {
  const allow = useAction(held.allow);
  const { maskId, size } = mail;
  const isAboutSender = ["suspicious", "spam", "unknown"].includes(mail.reason);
  const isKnown = mail.from?.address.includes("@") === true && maskId !== null;
  return (
    <>
      <ProblemBanner problem={allow.problem} />
      <ButtonRow>
        {release}
        <Button
          size="small"
          onPress={onRead}
          isDisabled={isDisabled || size > maxReadBytes}
          aria-describedby={titleId}
        >
          Read
        </Button>
        {isAboutSender && isKnown && (
          <Button
            size="small"
            onPress={() => allow.run(mail)}
            isPending={allow.isRunning}
            isDisabled={isDisabled}
            aria-describedby={titleId}
          >
            Always allow
          </Button>
        )}
        {isHeldOnArrival(mail) && isKnown && (
          <Button size="small" onPress={onBlock} isDisabled={isDisabled} aria-describedby={titleId}>
            Block sender
          </Button>
        )}
        {mail.direction === "received" && (
          <Button size="small" onPress={onSendElsewhere} isDisabled={isDisabled} aria-describedby={titleId}>
            Send elsewhere
          </Button>
        )}
        {mail.direction === "received" && isKnown && (
          <CreateRule maskId={maskId} sender={mail.from ?? { address: "" }} />
        )}
        <Button
          size="small"
          variant="quietDanger"
          onPress={onDelete}
          isDisabled={isDisabled}
          aria-describedby={titleId}
        >
          Delete
        </Button>
      </ButtonRow>
    </>
  );
};

/** One held mail in a line that opens to why it is held, and to what its owner may decide. */
export const HeldMailLine = ({
  mail,
  isTarget,
  isOpen,
  isSelected,
  onSelect,
  ...decisions
}: HeldMailLineProps) => {
  const { masks } = useSignedIn();
  const isNarrow = useObservable(useApp().page.narrow$);
  const { all } = useObservable(masks.view$);
  const titleId = useId();
  const release = useAction(decisions.held.release);
  const { maskId, answer, size, until, reason } = mail;
  const mask = all.find(({ id }) => id === maskId);
  const releaseButton = (
    <Button
      size="small"
      onPress={() => release.run(mail)}
      isPending={release.isRunning}
      isDisabled={decisions.isDisabled}
      aria-describedby={titleId}
    >
      {releaseLabel(mail)}
    </Button>
  );
  return (
    <MailLine
      heading="h2"
      titleId={titleId}
      at={mail.held}
      time={shortDate(mail.held)}
      from={senderOf(mail) || "Sender unknown"}
      to={maskId === null ? undefined : maskName(mask)}
      badge={isNarrow ? undefined : <Badge kind="warning">{heldLabels[reason]}</Badge>}
      note={subjectOf(mail)}
      before={
        <Checkbox
          label={<span className="visually-hidden">Select “{subjectOf(mail)}”</span>}
          isChecked={isSelected}
          onChange={onSelect}
        />
      }
      after={!isNarrow && releaseButton}
      isTarget={isTarget}
      isOpenAtFirst={isOpen}
      notice={release.problem && <ProblemBanner problem={release.problem} />}
    >
      <p>{reasonOf(mail)}</p>
      {answer && (
        <p>
          <code>{answer}</code>
        </p>
      )}
      <p className={panels.muted}>
        {[
          ...(maskId === null ? [] : [maskText(mask)]),
          `Held since ${exactTime(Date.parse(mail.held))}`,
          `kept until ${shortDate(until)}`,
          formatBytes(size),
        ].join(" · ")}
      </p>
      <Decisions {...decisions} mail={mail} titleId={titleId} release={isNarrow && releaseButton} />
    </MailLine>
  );
};
