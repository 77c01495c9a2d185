import { useEffect, useState } from "react";
import type { Mask } from "../../../core/masks/mask.ts";
import type { MailingList } from "../../../core/unsubscribe/listEndpoints.ts";
import { createMaskLists, listTitle, sentToList } from "../../../core/unsubscribe/maskLists.ts";
import { createUnsubscribe } from "../../../core/unsubscribe/unsubscribe.ts";
import { shortDate } from "../../format/dates.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner, RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";

/** Says how a list is left, where that differs from one click. */
const leaveTexts: Readonly<Record<MailingList["leaveBy"], string | null>> = {
  "one-click": null,
  mail: "left by an email from the mask",
  page: "left by hand on its own page",
};

interface ListRowProps {
  readonly mask: Mask;
  readonly list: MailingList;
  readonly onLeft: (left: MailingList) => void;
  /** A later mail of the list may ask for something else than what is shown. */
  readonly onRefused: () => void;
}

interface QuestionProps {
  readonly unproven: NonNullable<MailingList["unproven"]>;
  readonly onSend: () => void;
  readonly onCancel: () => void;
}

/** Shows what is sent to leave a list, with a button that sends it. */
const Question = ({ unproven, onSend, onCancel }: QuestionProps) => (
  <>
    <p>{sentToList(unproven)}</p>
    <p>No signature proves that this request comes from the list. Send it only if it looks right to you.</p>
    <ButtonRow>
      <Button size="small" variant="primary" onPress={onSend}>
        Send
      </Button>
      <Button size="small" onPress={onCancel}>
        Cancel
      </Button>
    </ButtonRow>
  </>
);

const ListRow = ({ mask, list, onLeft, onRefused }: ListRowProps) => {
  const { address, leaveBy, page, unproven, seen, left } = list;
  const lists = useFeature(createMaskLists);
  const leave = useAction(lists.leave, { onSuccess: onLeft, onProblem: onRefused });
  const title = listTitle(list);
  const canLeave = left === null || left < seen;
  const [isAsked, setAsked] = useState(false);
  const send = () => {
    setAsked(false);
    leave.run(mask.id, list);
  };
  return (
    <ItemRow
      title={
        <>
          {title}
          {left !== null && <Badge>Unsubscribed {shortDate(left)}</Badge>}
        </>
      }
      text={[title === address ? null : address, `last email ${shortDate(seen)}`, leaveTexts[leaveBy]]
        .filter((words) => words !== null)
        .join(" · ")}
      details={
        <>
          <ProblemBanner problem={leave.problem} />
          {isAsked && unproven !== null && (
            <Question unproven={unproven} onSend={send} onCancel={() => setAsked(false)} />
          )}
          {page !== null && (leaveBy === "page" || leave.problem !== null) && (
            <a href={page} target="_blank" rel="noreferrer noopener">
              Open the page of {title}
            </a>
          )}
        </>
      }
    >
      {canLeave && leaveBy !== "page" && !isAsked && (
        <Button
          size="small"
          aria-label={`Unsubscribe from ${title}`}
          onPress={unproven === null ? send : () => setAsked(true)}
          isPending={leave.isRunning}
          pendingLabel="Unsubscribing…"
        >
          Unsubscribe
        </Button>
      )}
    </ItemRow>
  );
};

/** The mailing lists that write to a mask, and a button to leave each. Renders nothing while the mask knows none. */
export const MaskLists = ({ mask }: { readonly mask: Mask }) => {
  const lists = useFeature(createMaskLists);
  const ofAccount = useObservable(useFeature(createUnsubscribe).value$);
  const chosen = mask.settings?.unsubscribe ?? "account";
  const mode = (chosen === "account" ? ofAccount : chosen) ?? "as-is";
  const [shown, setShown] = useState<readonly MailingList[]>([]);
  const { run, problem, isRunning } = useAction(lists.load, { onSuccess: setShown });
  const isKnown = mode !== "as-is";
  useEffect(() => {
    if (isKnown) run(mask.id);
  }, [isKnown, run, mask.id]);
  if (!isKnown || (shown.length === 0 && problem === null)) return null;
  return (
    <SectionCard
      id="mask-lists"
      title="Mailing lists"
      text={
        mode === "through-mask-and-switch-off"
          ? "Once you have unsubscribed, the mask is switched off."
          : undefined
      }
    >
      <RetryBanner problem={problem} onRetry={() => run(mask.id)} isRetrying={isRunning} />
      {shown.length > 0 && (
        <ItemList label="Mailing lists">
          {shown.map((list) => (
            <ListRow
              key={list.id}
              mask={mask}
              list={list}
              onRefused={() => run(mask.id)}
              onLeft={(left) => setShown(shown.map((one) => (one.id === left.id ? left : one)))}
            />
          ))}
        </ItemList>
      )}
    </SectionCard>
  );
};
