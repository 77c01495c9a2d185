import { useState } from "react";
import { type LogMode, type LogSettings, maxEntries } from "../../../core/mailLog/logEntry.ts";
import type { MailLog } from "../../../core/mailLog/mailLog.ts";
import { formatNumber } from "../../format/numbers.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import { useFocusTarget } from "../../navigation/focus.ts";
import { useAction, useFormAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { saveFile } from "../../ui/files.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { DownloadIcon } from "../../ui/icons/DownloadIcon.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";

type KeptSender = Exclude<LogMode, "off">;

const choices = [
  { value: "domain", label: "Only their domain", description: "shop.example" },
  { value: "address", label: "Their address", description: "orders@shop.example" },
] as const;

const howLong = ({ days }: LogSettings): string =>
  days === null
    ? `The newest ${formatNumber(maxEntries)} entries are kept.`
    : `Entries are deleted after ${days} days.`;

const whoReads = ({ encrypted }: LogSettings): string =>
  encrypted
    ? "Senders, recipients, reasons and answers are encrypted to your key; time, mask, direction and result are not."
    : "You have no key, so what is kept is not encrypted.";

const whatIsKept =
  "The log keeps of each email: time, mask, sender or recipients, size, the results of its checks, the rules that applied, and what the next server answered. It never keeps subjects or texts.";

interface LogSettingsProps {
  readonly log: MailLog;
  readonly settings: LogSettings;
}

/** Says in sentences what the log keeps. */
const Explanation = ({ settings }: Pick<LogSettingsProps, "settings">) => (
  <>
    {whatIsKept} {howLong(settings)} {whoReads(settings)}
  </>
);

const SenderChoice = ({
  value,
  onChange,
}: {
  readonly value: KeptSender;
  readonly onChange: (value: KeptSender) => void;
}) => (
  <Select
    label="What is kept of senders and recipients"
    value={value}
    options={choices}
    onChange={onChange}
  />
);

/** Turns the log on, after telling what it keeps and for how long. */
export const TurnOnCard = ({ log, settings }: LogSettingsProps) => {
  const [kept, setKept] = useState<KeptSender>("domain");
  const turnOn = useAction(log.setMode);
  return (
    <SectionCard id="log-off" title="The log is off" text={<Explanation settings={settings} />}>
      <SenderChoice value={kept} onChange={setKept} />
      <ProblemBanner problem={turnOn.problem} />
      <ButtonRow>
        <Button variant="primary" onPress={() => turnOn.run(kept)} isPending={turnOn.isRunning}>
          Switch on the log
        </Button>
      </ButtonRow>
    </SectionCard>
  );
};

const ExportButtons = ({ log }: Pick<LogSettingsProps, "log">) => {
  const count = useObservable(log.exported$);
  const save = useFormAction(log.exportAll, {
    onSuccess: ({ name, content, type }) => saveFile(name, content, type),
  });
  return (
    <>
      <ButtonRow>
        {(["csv", "json"] as const).map((format) => (
          <Button
            key={format}
            icon={<DownloadIcon size={18} />}
            onPress={() => save.run(format)}
            isDisabled={save.isRunning}
          >
            Export as {format.toUpperCase()}
          </Button>
        ))}
      </ButtonRow>
      <p role="status">{count === null ? "" : `${count} entries read…`}</p>
      <ProblemBanner problem={save.problem} />
    </>
  );
};

/** Changes what the log keeps, exports it, deletes its entries, and switches it off. */
export const LogSettingsCard = ({ log, settings }: LogSettingsProps) => {
  const [asked, setAsked] = useState<"clear" | "off" | null>(null);
  const close = (): void => setAsked(null);
  const change = useAction(log.setMode);
  const heading = useFocusTarget<HTMLHeadingElement>("log settings");
  const { keep } = settings;
  return (
    <SectionCard
      id="log-settings"
      title="About the log"
      titleRef={heading}
      text={<Explanation settings={settings} />}
    >
      <SenderChoice value={keep === "off" ? "domain" : keep} onChange={(next) => change.run(next)} />
      <ProblemBanner problem={change.problem} />
      <ExportButtons log={log} />
      <ButtonRow>
        <Button variant="quietDanger" onPress={() => setAsked("clear")}>
          Delete all entries
        </Button>
        <Button variant="quietDanger" onPress={() => setAsked("off")}>
          Switch off the log
        </Button>
      </ButtonRow>
      <ActionDialog
        isOpen={asked === "clear"}
        title="Delete all entries?"
        confirmLabel="Delete"
        pendingLabel="Deleting…"
        isDanger
        action={log.clear}
        onClose={close}
      >
        <p>The log stays on and begins anew. This cannot be undone.</p>
      </ActionDialog>
      <ActionDialog
        isOpen={asked === "off"}
        title="Switch off the log?"
        confirmLabel="Switch off and delete"
        pendingLabel="Switching off…"
        isDanger
        action={() => log.setMode("off")}
        onClose={close}
      >
        <p>No mail is logged from then on, and all entries are deleted. This cannot be undone.</p>
      </ActionDialog>
    </SectionCard>
  );
};
