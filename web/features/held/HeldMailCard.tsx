import { useEffect, useId, useRef } from "react";
import type { Held } from "../../../core/held/held.ts";
import { type HeldMail, maxReadBytes } from "../../../core/held/heldMail.ts";
import { maskText } from "../../../core/masks/maskText.ts";
import { exactTime, shortDate } from "../../format/dates.ts";
import { formatBytes } from "../../format/numbers.ts";
import { useAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "../../ui/layout/MailList.module.css";
import { MakeRule } from "../rules/form/MakeRule.tsx";
import { isHeldOnArrival, reasonOf, releaseLabel, senderOf, subjectOf } from "./heldTexts.ts";

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

interface HeldMailCardProps extends DecisionsProps {
  /** True for the mail that the page was opened for. */
  readonly isTarget: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean, isRange: boolean) => void;
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) =>
  value === "" ? null : (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );

const Decisions = ({
  mail,
  held,
  isDisabled,
  titleId,
  onRead,
  onSendElsewhere,
  onBlock,
  onDelete,
}: DecisionsProps & { readonly titleId: string }) => {
  const release = useAction(held.release);
  const allow = useAction(held.allow);
  const { maskId, size } = mail;
  const isAboutSender = ["suspicious", "spam", "unknown"].includes(mail.reason);
  const isKnown = mail.from?.address.includes("@") === true && maskId !== null;
  return (
    <>
      <ProblemBanner problem={release.problem ?? allow.problem} />
      <ButtonRow>
        <Button
          size="small"
          variant="primary"
          onPress={() => release.run(mail)}
          isPending={release.isRunning}
          isDisabled={isDisabled}
          aria-describedby={titleId}
        >
          {releaseLabel(mail)}
        </Button>
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
          <MakeRule maskId={maskId} sender={mail.from ?? { address: "" }} />
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

/** One held mail: what it is, why it is held, and what its owner may decide. */
export const HeldMailCard = ({ mail, isTarget, isSelected, onSelect, ...decisions }: HeldMailCardProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const { maskId, answer, size, until } = mail;
  const mask = all.find(({ id }) => id === maskId);
  useEffect(() => {
    if (isTarget) card.current?.scrollIntoView({ block: "nearest" });
  }, [isTarget]);
  return (
    <Card as="li" ref={card} isHighlighted={isTarget} aria-labelledby={titleId} className={styles.card}>
      <div className={styles.head}>
        <Checkbox
          label={<span className="visually-hidden">Select “{subjectOf(mail)}”</span>}
          isChecked={isSelected}
          onChange={onSelect}
        />
        <h2 id={titleId} className={styles.subject}>
          {subjectOf(mail)}
        </h2>
      </div>
      <p className={styles.text}>{reasonOf(mail)}</p>
      {answer && <p className={styles.answer}>{answer}</p>}
      <dl className={styles.facts}>
        <Fact name="From" value={senderOf(mail)} />
        {maskId !== null && <Fact name="Mask" value={maskText(mask)} />}
        <Fact name="Held since" value={exactTime(Date.parse(mail.held))} />
        <Fact name="Kept until" value={shortDate(until)} />
        <Fact name="Size" value={formatBytes(size)} />
      </dl>
      <Decisions {...decisions} mail={mail} titleId={titleId} />
    </Card>
  );
};
