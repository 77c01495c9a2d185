import { createActionLinks } from "../../../core/actionLinks/actionLinks.ts";
import { actionLinkDays } from "../../../core/mail/actionLinkPlace.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { SettingRow } from "../../ui/layout/SettingRow.tsx";
import { actionLinkOptions } from "./actionLinkOptions.ts";

/** Whether forwarded mail has links that act on its mask, and where. */
export const ActionLinksCard = () => {
  const links = useFeature(createActionLinks);
  const place = useObservable(links.place$);
  const choose = useAction(links.choose);
  return (
    <SectionCard id="action-links" title="Links in Forwarded Mail" level={3} isBusy={choose.isRunning}>
      <ProblemBanner problem={choose.problem} />
      <SettingRow
        title="Links to switch a mask off and to block a sender"
        text={`Each email says which mask it came to. Its links work for ${actionLinkDays} days without logging in, for whoever has the email: remove them before you forward it to somebody. Replies through a mask leave them out.`}
      >
        <Select
          label="Links to switch a mask off and to block a sender"
          isLabelHidden
          options={actionLinkOptions}
          value={place ?? undefined}
          onChange={choose.run}
          isDisabled={place === null || choose.isRunning}
        />
      </SettingRow>
    </SectionCard>
  );
};
