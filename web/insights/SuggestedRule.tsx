import { useState } from "react";
import { suggestedDraft } from "../../core/insights/suggestedDraft.ts";
import type { Around } from "../binding/around.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { nameOf } from "../masks/maskDialog.ts";
import { RuleDialog } from "../rules/RuleDialog.tsx";
import { Select } from "../ui/Select.tsx";
import { ownTimeZone } from "../wording/timeZone.ts";
import type { ShownSuggestion } from "./insightsPart.ts";

interface SuggestedRuleProps {
  readonly suggestion: ShownSuggestion;
  readonly around: Around;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The rule editor filled in, for the mask the suggestion speaks of or another one (RU2, IN3). */
export const SuggestedRule = ({ suggestion, around, isOpen, onClose, onDone }: SuggestedRuleProps) => {
  const { rules, masks } = useApp();
  const { all } = useObservable(masks.view$);
  const [draft] = useState(() => suggestedDraft(suggestion, ownTimeZone()));
  const [chosen, choose] = useState(suggestion.maskId);
  const mask = all.find(({ id }) => id === chosen) ?? all[0];
  return (
    <WithPart late={rules} skeleton={null}>
      {(part) => (
        <RuleDialog
          part={part}
          rule={null}
          maskId={mask?.id ?? null}
          isOpen={isOpen}
          onClose={onClose}
          suggested={{
            draft,
            around,
            onCreated: onDone,
            place: (
              <Select
                label="Mask"
                value={mask?.id}
                onChange={choose}
                options={all.map((one) => ({
                  value: one.id,
                  label: nameOf(one),
                  description: one.maskEmail,
                }))}
              />
            ),
          }}
        />
      )}
    </WithPart>
  );
};
