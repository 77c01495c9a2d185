import { actionEntry, isActionType } from "../../../core/rules/model/actionType.ts";
import { type RuleType, ruleTypeLabels } from "../../../core/rules/model/ruleType.ts";
import { Bars } from "../../charts/Bars.tsx";
import { Donut } from "../../charts/Donut.tsx";
import { relativeTimeInSentence } from "../../format/dates.ts";
import { formatCount } from "../../format/numbers.ts";
import { addressText } from "../../navigation/address.ts";
import { TargetLink } from "../../navigation/TargetLink.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { FoldedPart, NothingYet, Panel, PanelPart } from "../../ui/layout/Panel.tsx";
import { type Figures, groupRest, sortByCount } from "./figures.ts";
import { useInsightsLinks } from "./useInsightsLinks.ts";

/** Numbers of entries shown (IN5). */
const maxRules = 5;
const maxMasks = 3;
const maxTypes = 6;
const otherTypes = "Other types";

const extraTypeLabels: Readonly<Record<string, string>> = {
  header_filter: "Header filter",
  time_filter: "Time filter",
};

const typeLabel = (type: string): string => ruleTypeLabels[type as RuleType] ?? extraTypeLabels[type] ?? type;

const countByMask = (rules: NonNullable<Figures["rules"]>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { maskId, applied } of rules) counts[maskId] = (counts[maskId] ?? 0) + applied;
  return counts;
};

interface RuleEffectivenessProps {
  readonly figures: Figures;
  readonly since: string;
  readonly isOneMask: boolean;
}

/** Shows which rules, rule types and masks applied most (IN5). */
export const RuleEffectiveness = ({ figures, since, isOneMask }: RuleEffectivenessProps) => {
  const links = useInsightsLinks();
  const applied = (figures.rules ?? []).filter((rule) => rule.applied > 0);
  const rules = applied.toSorted((one, other) => other.applied - one.applied).slice(0, maxRules);
  const types = groupRest(sortByCount(figures.rulesByType ?? {}), maxTypes, otherTypes);
  const masks = sortByCount(countByMask(applied)).slice(0, maxMasks);
  const noteOf = ({ maskId, lastApplied }: (typeof rules)[number]): string =>
    [
      ...(isOneMask ? [] : [links.maskName(maskId) ?? "a deleted mask"]),
      ...(lastApplied === null
        ? []
        : [`last ${relativeTimeInSentence(Date.parse(lastApplied), Date.now())}`]),
    ].join(" · ");
  return (
    <Panel title="Rule Effectiveness" hint={`How often rules were applied ${since}.`}>
      {rules.length === 0 ? (
        <NothingYet>Fills when a rule acts on an email.</NothingYet>
      ) : (
        <>
          <PanelPart title="Most active rules">
            <Bars
              name="Most active rules"
              of="Rule"
              parts={[{ label: "Applied", series: 1 }]}
              bars={rules.map((rule) => ({
                key: rule.id,
                label: rule.name,
                values: [rule.applied],
                note: noteOf(rule),
                link: links.rulesOf(rule.maskId),
                linkLabel: `${rule.name}, open its rules`,
              }))}
            />
          </PanelPart>
          {types.length > 1 && (
            <FoldedPart title="By type">
              <Donut
                name="Rules applied, by type"
                of="Type"
                unit="times"
                slices={types.map(({ name, count }) => ({
                  key: name,
                  label: typeLabel(name),
                  value: count,
                  isRest: name === otherTypes,
                }))}
              />
            </FoldedPart>
          )}
          {!isOneMask && masks.length > 1 && (
            <FoldedPart title="Masks whose rules apply most often">
              <Bars
                name="Rules applied, by mask"
                of="Mask"
                parts={[{ label: "Applied", series: 1 }]}
                bars={masks.map(({ name, count }) => ({
                  key: name,
                  label: links.maskName(name) ?? "A deleted mask",
                  values: [count],
                  link: links.rulesOf(name),
                }))}
              />
            </FoldedPart>
          )}
        </>
      )}
    </Panel>
  );
};

const actionName = (type: string): string => (isActionType(type) ? actionEntry(type).label : type);

interface ActionAnalyticsProps {
  readonly figures: Figures;
  readonly since: string;
}

/** Shows how often rules carried out each action (IN5). */
export const ActionAnalytics = ({ figures, since }: ActionAnalyticsProps) => {
  const actions = sortByCount(figures.actions ?? {});
  return (
    <Panel title="Action Analytics" hint={`What rules did with mail, and how often, ${since}.`}>
      {actions.length === 0 ? (
        <NothingYet>Fills when a rule acts on an email.</NothingYet>
      ) : (
        <>
          <Bars
            name="Actions carried out"
            of="Action"
            parts={[{ label: "Times", series: 6 }]}
            bars={actions.map(({ name, count }) => ({ key: name, label: actionName(name), values: [count] }))}
          />
          {actions.some(({ name }) => name === "archive") && (
            <ButtonRow>
              <TargetLink size="small" href={addressText(["rules"])} focus="archive">
                Show archived mail
              </TargetLink>
            </ButtonRow>
          )}
        </>
      )}
    </Panel>
  );
};

const maxTags = 8;

interface TagAnalyticsProps {
  readonly figures: Figures;
  readonly since: string;
}

/** Shows how many mails rules gave each tag (IN5). */
export const TagAnalytics = ({ figures, since }: TagAnalyticsProps) => {
  const tags = sortByCount(figures.tags ?? {});
  const hiddenCount = tags.length - maxTags;
  return (
    <Panel title="Tag Analytics" hint={`How many emails rules gave a tag ${since}.`}>
      {tags.length === 0 ? (
        <NothingYet>Fills when a rule tags an email.</NothingYet>
      ) : (
        <Bars
          name="Emails by tag"
          of="Tag"
          parts={[{ label: "Emails", series: 3 }]}
          bars={tags
            .slice(0, maxTags)
            .map(({ name, count }) => ({ key: name, label: name, values: [count] }))}
        />
      )}
      {hiddenCount > 0 && <p>and {formatCount(hiddenCount, "further tag")}.</p>}
    </Panel>
  );
};
