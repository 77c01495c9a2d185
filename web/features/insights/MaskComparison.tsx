import { useState } from "react";
import { Bars } from "../../charts/Bars.tsx";
import { Button } from "../../ui/Button.tsx";
import { Panel } from "../../ui/layout/Panel.tsx";
import type { Figures } from "./figures.ts";
import { useInsightsLinks } from "./useInsightsLinks.ts";

const initialCount = 5;
const moreCount = 50;

interface MaskComparisonProps {
  readonly masks: NonNullable<Figures["masks"]>;
  readonly since: string;
}

/** Compares the masks by mail received, the highest first (IN5). */
export const MaskComparison = ({ masks, since }: MaskComparisonProps) => {
  const links = useInsightsLinks();
  const [shown, setShown] = useState(initialCount);
  const list = masks.toSorted((one, other) => other.received - one.received);
  return (
    <Panel
      title="Mask Comparison"
      hint={`Mail each mask received ${since}, and what became of it. “Other” was archived, is waiting, or was sent elsewhere by a rule.`}
    >
      <Bars
        name="Mail by mask"
        of="Mask"
        parts={[
          { label: "Forwarded", series: 1 },
          { label: "Blocked", series: 5 },
          { label: "Other", series: 7 },
        ]}
        longest={list[0]?.received}
        bars={list.slice(0, shown).map(({ id, description, active, received, forwarded, blocked }) => ({
          key: id,
          label: description,
          values: [forwarded, blocked, Math.max(0, received - forwarded - blocked)],
          note: active ? undefined : "Switched off",
          link: links.mask(id),
          linkLabel: `${description}, open its card`,
        }))}
      />
      {list.length > shown && (
        <div>
          <Button size="small" onPress={() => setShown(shown + moreCount)}>
            Show more of {list.length} masks
          </Button>
        </div>
      )}
    </Panel>
  );
};
