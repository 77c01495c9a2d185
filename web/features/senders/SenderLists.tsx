import { useEffect, useState } from "react";
import { createMaskSenders, type ListedSenders } from "../../../core/senders/senderCommands.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import rows from "../../ui/layout/Rows.module.css";

interface SendersProps {
  readonly title: string;
  readonly senders: readonly string[];
  readonly onRemove: (sender: string) => void;
}

const Senders = ({ title, senders, onRemove }: SendersProps) =>
  senders.length === 0 ? null : (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className={rows.rows}>
        {senders.map((sender) => (
          <li key={sender} className={rows.row}>
            <span className={rows.words}>{sender}</span>
            <Button size="small" onPress={() => onRemove(sender)} aria-label={`Remove ${sender}`}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );

interface SenderListsProps {
  readonly maskId: string;
  /** The ids of the mails that are held for the mask. */
  readonly mailIds: string;
}

/** Lists the senders that a mask always accepts and refuses, to take them off again. */
export const SenderLists = ({ maskId, mailIds }: SenderListsProps) => {
  const maskSenders = useFeature(createMaskSenders);
  const [listed, setListed] = useState<ListedSenders>();
  const load = useAction(maskSenders.load, { onSuccess: setListed });
  const remove = useAction(maskSenders.remove, { onSuccess: () => load.run(maskId) });
  const { run } = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a decision about a mail may have changed the lists
  useEffect(() => run(maskId), [run, maskId, mailIds]);
  const removeSender = (sender: string): void => remove.run(maskId, sender);
  return (
    <>
      <ProblemBanner problem={load.problem ?? remove.problem} />
      <Senders title="Always allowed" senders={listed?.allow ?? []} onRemove={removeSender} />
      <Senders title="Blocked senders" senders={listed?.block ?? []} onRemove={removeSender} />
    </>
  );
};
