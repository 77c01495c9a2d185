import { createHeld } from "../../../core/held/held.ts";
import { domainOf } from "../../../core/mail/emailAddress.ts";
import { describeStep, explainDetail, replyCode } from "../../../core/mailLog/explainEntry.ts";
import type { LogCause, LogEntry } from "../../../core/mailLog/logEntry.ts";
import { createMailLogPages } from "../../../core/mailLog/mailLog.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { exactTime } from "../../format/dates.ts";
import { formatBytes } from "../../format/numbers.ts";
import { addressText } from "../../navigation/address.ts";
import { atServer } from "../../navigation/baseAddress.ts";
import { TargetLink } from "../../navigation/TargetLink.tsx";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import panels from "../../ui/layout/Panels.module.css";
import rows from "../../ui/layout/Rows.module.css";
import { sendLabel } from "../held/heldTexts.ts";
import { CreateRule } from "../rules/form/CreateRule.tsx";
import { AllowButton } from "../senders/AllowButton.tsx";
import { BlockButtons } from "../senders/BlockButtons.tsx";

const unread =
  "The details are encrypted, and their key is not on this device. Import the backup of your key under Settings to read them.";
const lost =
  "The details are not known: they could not be encrypted, because your key had expired or was revoked.";

/** The causes that a place on the list of allowed senders would have prevented. */
const preventedByAllowing: readonly LogCause[] = [
  "sender-unknown",
  "sender-waits",
  "sender-suspicious",
  "spam",
  "spam-held",
];

interface LogEntryDetailsProps {
  readonly entry: LogEntry;
  /** Undefined for a mail of none, or of a deleted one. */
  readonly mask: Mask | undefined;
  /** Called when a decision takes its button away. */
  readonly onDecided: () => void;
}

/** Decides about the held mail of an entry; about several, each for a recipient, where they are listed. */
const HeldActions = ({ entry, onDecided }: Omit<LogEntryDetailsProps, "mask">) => {
  const { heldId, maskId, steps } = entry;
  const log = useFeature(createMailLogPages);
  const refresh = useAction(log.refresh);
  const release = useAction(useFeature(createHeld).release, {
    onSuccess: () => {
      onDecided();
      refresh.run();
    },
  });
  const hasFailed = steps.some(({ state }) => state === "held");
  return (
    <>
      {heldId !== undefined && (
        <Button
          size="small"
          variant="primary"
          onPress={() => release.run({ id: heldId })}
          isPending={release.isRunning}
        >
          {sendLabel(hasFailed)}
        </Button>
      )}
      <ButtonLink size="small" href={addressText(["held"], { mask: maskId || undefined, mail: heldId })}>
        Show held mail
      </ButtonLink>
      <ProblemBanner problem={release.problem} />
    </>
  );
};

/** What can be done about the sender of a received mail. */
const SenderActions = ({
  mask,
  sender,
  cause,
  onDecided,
}: {
  readonly mask: Mask;
  readonly sender: string;
  readonly cause: LogCause;
  readonly onDecided: () => void;
}) => {
  const { allow = [], block = [] } = mask.senders ?? {};
  const address = sender.toLowerCase();
  const blockedDomain = block.find((listed) => `.${domainOf(address)}`.endsWith(`.${listed}`));
  const isBlocked = block.includes(address);
  const isAllowable =
    address.includes("@") && preventedByAllowing.includes(cause) && !allow.includes(address);
  return (
    <>
      {isAllowable && !isBlocked && blockedDomain === undefined && (
        <AllowButton maskId={mask.id} sender={address} onAllowed={onDecided} />
      )}
      <BlockButtons maskId={mask.id} address={sender} isBlocked={isBlocked} blockedDomain={blockedDomain} />
      <CreateRule maskId={mask.id} sender={{ address: sender }} />
    </>
  );
};

/** Says why nothing is offered about a single address, and leads to the setting that keeps addresses. */
const DomainAlone = () => (
  <ButtonRow>
    <span className={panels.muted}>
      Only the domain of this sender was kept, so no single address can be blocked.
    </span>
    <TargetLink size="small" variant="quiet" href={addressText(["log"])} focus="log settings">
      Keep addresses
    </TargetLink>
  </ButtonRow>
);

/** Explains in plain sentences why a mail had its result and what happened since, and offers what can be done about it. */
export const LogEntryDetails = ({ entry, mask, onDecided }: LogEntryDetailsProps) => {
  const { at, direction, result, detail, sealed, steps } = entry;
  const code = detail && replyCode(detail);
  const sender = direction === "received" ? (detail?.from ?? "") : "";
  return (
    <>
      {detail ? (
        <ul className={rows.rows} aria-label="Why">
          {explainDetail(detail).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : (
        <p>{sealed === null ? lost : unread}</p>
      )}
      {steps.length > 0 && (
        <ol className={rows.rows} aria-label="What happened then">
          {steps.map((step) => (
            <li key={`${step.at} ${describeStep(step)}`}>
              <time dateTime={step.at}>{exactTime(Date.parse(step.at))}</time>: {describeStep(step)}
            </li>
          ))}
        </ol>
      )}
      {code && (
        <a href={atServer(`/help/replies#${code}`)} target="_blank" rel="noreferrer">
          What to do about {code}
        </a>
      )}
      <p className={panels.muted}>
        {[
          exactTime(Date.parse(at)),
          ...(mask ? [mask.maskEmail] : []),
          ...(detail?.size === undefined ? [] : [formatBytes(detail.size)]),
        ].join(" · ")}
      </p>
      <ButtonRow>
        {result === "held" && <HeldActions entry={entry} onDecided={onDecided} />}
        {result === "archived" && mask && (
          <ButtonLink size="small" href={addressText(["mailbox"], { mask: mask.id })}>
            Show mail in the app
          </ButtonLink>
        )}
        {mask && detail && sender !== "" && (
          <SenderActions mask={mask} sender={sender} cause={detail.cause} onDecided={onDecided} />
        )}
      </ButtonRow>
      {mask && sender !== "" && !sender.includes("@") && <DomainAlone />}
    </>
  );
};
