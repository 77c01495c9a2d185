import { useEffect, useState } from "react";
import type { Mask } from "../../../core/masks/mask.ts";
import type { MailingList } from "../../../core/unsubscribe/listEndpoints.ts";
import { createMaskLists, listTitle } from "../../../core/unsubscribe/maskLists.ts";
import { createUnsubscribe } from "../../../core/unsubscribe/unsubscribe.ts";
import { shortDate } from "../../format/dates.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner, RetryBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";

/** How a list is left, where that differs from one click. */
const leaveTexts: Readonly<Record<MailingList["leaveBy"], string | null>> = {
  "one-click": null,
  mail: "left by an email from the mask",
  page: "left by hand on its own page",
};

interface ListRowProps {
  readonly mask: Mask;
  readonly list: MailingList;
  readonly onLeft: (left: MailingList) => void;
}

const ListRow = ({ mask, list, onLeft }: ListRowProps) => {
  const { address, leaveBy, page, seen, left } = list;
  const lists = useFeature(createMaskLists);
  const leave = useAction(lists.leave, { onSuccess: onLeft });
  const title = listTitle(list);
  const canLeave = left === null || left < seen;
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
          {page !== null && (leaveBy === "page" || leave.problem !== null) && (
            <a href={page} target="_blank" rel="noreferrer noopener">
              Open the page of {title}
            </a>
          )}
        </>
      }
    >
      {canLeave && leaveBy !== "page" && (
        <Button
          size="small"
          aria-label={`Unsubscribe from ${title}`}
          onPress={() => leave.run(mask.id, list)}
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
      title="Mailing Lists"
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
              onLeft={(left) => setShown(shown.map((one) => (one.id === left.id ? left : one)))}
            />
          ))}
        </ItemList>
      )}
    </SectionCard>
  );
};
