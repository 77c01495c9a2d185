import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { ruleSummary, summaryText } from "../../../core/rules/model/ruleSummary.ts";
import type { SenderMode } from "../../../core/senders/maskSenders.ts";
import { addressText } from "../../navigation/address.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ButtonLink } from "../../ui/ButtonLink.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { SectionCard } from "../../ui/layout/SectionCard.tsx";
import { Tag } from "../../ui/Tag.tsx";
import { useRulesForAll } from "../rules/useRulesForAll.ts";

interface OfMask {
  readonly mask: Mask;
}

/** Says that a mask has no rules of its own, and how many rules for all masks apply to it. */
const rulesText = (ownCount: number, { text, isKnown }: ReturnType<typeof useRulesForAll>) => {
  if (text !== "") return ownCount === 0 ? `No rules of its own. ${text}.` : `${text} too.`;
  return ownCount === 0 && isKnown
    ? "No rules yet. A rule decides what happens to mail of this mask."
    : undefined;
};

/** The rules of a mask as sentences, and the way to change them. */
export const MaskRulesCard = ({ mask }: OfMask) => {
  const { rules } = useFeature(createRulesAndSync);
  // The list changes with the view of the rules.
  const forAll = useRulesForAll(useObservable(rules.view$).allMasks, mask.id);
  const list = rules.rulesOf(mask.id);
  return (
    <SectionCard
      id="mask-rules"
      title="Rules"
      text={rulesText(list.length, forAll)}
      aside={
        <ButtonRow>
          {(list.length > 0 || forAll.text !== "") && (
            <ButtonLink size="small" variant="quiet" href={addressText(["rules", mask.id])}>
              Show
            </ButtonLink>
          )}
          <ButtonLink size="small" href={addressText(["rules", mask.id, "new"])}>
            New rule
          </ButtonLink>
        </ButtonRow>
      }
    >
      {list.length > 0 && (
        <ItemList label="Rules of this mask">
          {list.map((rule) => (
            <ItemRow
              key={rule.id}
              title={
                <>
                  {rule.name}
                  {rule.enabled === false && <Badge>Off</Badge>}
                </>
              }
              text={summaryText(ruleSummary(rule))}
            />
          ))}
        </ItemList>
      )}
    </SectionCard>
  );
};

const modeTexts: Readonly<Record<SenderMode, string>> = {
  all: "Everybody may write to this mask.",
  contacts: "Only its correspondents may write to this mask.",
  listed: "Only the allowed senders may write to this mask.",
  approve: "Mail of others than the allowed senders is held until you release it.",
};

const SenderTags = ({ title, senders }: { readonly title: string; readonly senders: readonly string[] }) =>
  senders.length > 0 && (
    <>
      <h3>{title}</h3>
      <ButtonRow>
        {senders.map((sender) => (
          <Tag key={sender} name={sender} />
        ))}
      </ButtonRow>
    </>
  );

interface MaskSendersCardProps extends OfMask {
  /** Called to change who may write. */
  readonly onChange: () => void;
}

/** The settings for the senders that may write to a mask, and those that may not. */
export const MaskSendersCard = ({ mask, onChange }: MaskSendersCardProps) => {
  const { mode = "all", allow = [], block = [] } = mask.senders ?? {};
  return (
    <SectionCard
      id="mask-senders"
      title="Who may write"
      text={modeTexts[mode]}
      aside={
        <Button size="small" onPress={onChange}>
          Change
        </Button>
      }
    >
      <SenderTags title="Allowed senders" senders={allow} />
      <SenderTags title="Blocked senders" senders={block} />
    </SectionCard>
  );
};
