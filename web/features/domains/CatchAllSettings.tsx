import { useEffect, useState } from "react";
import { createDestinations } from "../../../core/destinations/destinations.ts";
import { type CatchAll, type Domain, maxMadePerDay } from "../../../core/domains/domain.ts";
import type { Domains } from "../../../core/domains/domains.ts";
import { fieldMessage, useAction, useFormAction } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { type Chip, ChipGroup } from "../../ui/form/ChipGroup.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import styles from "../../ui/layout/ItemList.module.css";
import { ButtonRow } from "../../ui/layout/layout.tsx";

const catchAlls: readonly Chip<CatchAll>[] = [
  { value: "off", label: "Refuse" },
  { value: "pattern", label: "Some names" },
  { value: "all", label: "Any name" },
];

const usual = "usual";

const splitPatterns = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

interface CatchAllSettingsProps {
  readonly domain: Domain;
  readonly feature: Domains;
}

/** The settings for mail to addresses without a mask at the domain. */
export const CatchAllSettings = ({ domain, feature }: CatchAllSettingsProps) => {
  const { masks } = useSignedIn();
  const destinations = useFeature(createDestinations);
  const { run: refresh } = useAction(destinations.refresh);
  useEffect(() => refresh(), [refresh]);
  const outdated = useObservable(feature.outdated$);
  const confirmed = (useObservable(destinations.list$) ?? []).filter(({ status }) => status === "confirmed");
  const { maxMasks } = useObservable(masks.plan$);
  const [catchAll, setCatchAll] = useState(domain.catchAll);
  const [patterns, setPatterns] = useState(domain.patterns.join(", "));
  const [approveFirst, setApproveFirst] = useState(domain.approveFirst);
  const [destination, setDestination] = useState(domain.destination);
  const save = useFormAction(feature.edit);
  const change = { catchAll, patterns: splitPatterns(patterns), approveFirst, destination };
  const isChanged =
    catchAll !== domain.catchAll ||
    change.patterns.join() !== domain.patterns.join() ||
    approveFirst !== domain.approveFirst ||
    destination !== domain.destination;
  const patternsProblem = fieldMessage(save.problem, "patterns");
  const edited =
    <A,>(set: (value: A) => void) =>
    (value: A): void => {
      set(value);
      save.clearProblem();
    };
  return (
    <section aria-labelledby="other-names" className={styles.words}>
      <h3 id="other-names">Mail to names without a mask</h3>
      <ChipGroup
        label="Mail to names without a mask"
        chips={catchAlls}
        value={catchAll}
        onChange={edited(setCatchAll)}
      />
      {catchAll !== "off" && (
        <>
          <p className={styles.text}>
            The first email to a new name creates a mask, at most {maxMadePerDay} a day
            {maxMasks !== null && ` and ${maxMasks} masks in all`}. A name whose mask you delete is refused
            from then on.
          </p>
          {catchAll === "pattern" && (
            <TextField
              label="Names"
              placeholder="shop-*, news"
              value={patterns}
              onChange={edited(setPatterns)}
              error={patternsProblem}
              description="The part before the @; * stands for any text. Separate names with commas."
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              isMonospace
            />
          )}
          <Checkbox
            label="Approve senders first"
            isChecked={approveFirst}
            onChange={edited(setApproveFirst)}
            description="Mail to a new mask is held until you approve its sender."
          />
          <Select
            label="New masks forward to"
            options={[
              { value: usual, label: "Your default address" },
              ...confirmed.map(({ email, name }) => ({
                value: email,
                label: name || email,
                ...(name !== "" && { description: email }),
              })),
            ]}
            value={destination ?? usual}
            onChange={(chosen) => edited(setDestination)(chosen === usual ? null : chosen)}
          />
        </>
      )}
      {patternsProblem === undefined && <ProblemBanner problem={save.problem} />}
      <ButtonRow>
        <Button
          variant="primary"
          isDisabled={!isChanged || outdated !== null}
          isPending={save.isRunning}
          pendingLabel="Saving…"
          onPress={() => save.run(domain.id, change)}
        >
          Save
        </Button>
      </ButtonRow>
    </section>
  );
};
