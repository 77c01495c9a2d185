import { type RuleType, ruleTypeLabels } from "../../core/rules/ruleType.ts";
import { Bars } from "../charts/Bars.tsx";
import { Donut } from "../charts/Donut.tsx";
import { momentAgoWithin } from "../wording/moments.ts";
import { mostFirst, withRest } from "./counted.ts";
import type { Figures } from "./insightsPart.ts";
import { NothingYet, Panel, PanelPart } from "./Panel.tsx";
import { usePlaces } from "./usePlaces.ts";

/** IN5. */
const mostRules = 5;
const mostMasks = 3;
const mostTypes = 6;
const otherTypes = "Other types";

const further: Readonly<Record<string, string>> = {
  header_filter: "Header filter",
  time_filter: "Time filter",
};

const typeLabel = (type: string): string => ruleTypeLabels[type as RuleType] ?? further[type] ?? type;

const byMask = (rules: NonNullable<Figures["rules"]>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { maskId, applied } of rules) counts[maskId] = (counts[maskId] ?? 0) + applied;
  return counts;
};

interface RuleEffectivenessProps {
  readonly figures: Figures;
  readonly since: string;
  readonly isOneMask: boolean;
}

/** Which rules earn their keep (IN5). */
export const RuleEffectiveness = ({ figures, since, isOneMask }: RuleEffectivenessProps) => {
  const places = usePlaces();
  const applied = (figures.rules ?? []).filter((rule) => rule.applied > 0);
  const rules = applied.toSorted((one, other) => other.applied - one.applied).slice(0, mostRules);
  const types = withRest(mostFirst(figures.rulesByType ?? {}), mostTypes, otherTypes);
  const masks = mostFirst(byMask(applied)).slice(0, mostMasks);
  const noteOf = ({ maskId, type, lastApplied }: (typeof rules)[number]): string =>
    [
      ...(isOneMask ? [] : [places.maskName(maskId) ?? "a mask that is gone"]),
      typeLabel(type),
      ...(lastApplied === null ? [] : [`last ${momentAgoWithin(Date.parse(lastApplied), Date.now())}`]),
    ].join(" · ");
  return (
    <Panel title="Rule Effectiveness" hint={`How often rules were carried out ${since}.`}>
      {rules.length === 0 ? (
        <NothingYet>No rule has been carried out yet. Those that are stand here.</NothingYet>
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
                onOpen: places.rulesOf(rule.maskId),
                openLabel: `${rule.name}, open its rules`,
              }))}
            />
          </PanelPart>
          {types.length > 1 && (
            <PanelPart title="By type">
              <Donut
                name="Rules carried out, by type"
                of="Type"
                unit="times"
                slices={types.map(({ name, count }) => ({
                  key: name,
                  label: typeLabel(name),
                  value: count,
                  isRest: name === otherTypes,
                }))}
              />
            </PanelPart>
          )}
          {!isOneMask && masks.length > 1 && (
            <PanelPart title="Masks whose rules work most">
              <Bars
                name="Rules carried out, by mask"
                of="Mask"
                parts={[{ label: "Applied", series: 1 }]}
                bars={masks.map(({ name, count }) => ({
                  key: name,
                  label: places.maskName(name) ?? "A mask that is gone",
                  values: [count],
                  onOpen: places.rulesOf(name),
                }))}
              />
            </PanelPart>
          )}
        </>
      )}
    </Panel>
  );
};
