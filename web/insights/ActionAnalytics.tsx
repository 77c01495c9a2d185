import { actionEntry, isActionType } from "../../core/rules/actionType.ts";
import { Bars } from "../charts/Bars.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { mostFirst } from "./counted.ts";
import type { Figures } from "./insightsPart.ts";
import { NothingYet, Panel } from "./Panel.tsx";
import { usePlaces } from "./usePlaces.ts";

const actionName = (type: string): string => (isActionType(type) ? actionEntry(type).label : type);

interface ActionAnalyticsProps {
  readonly figures: Figures;
  readonly since: string;
}

/** What rules did with mail (IN5). */
export const ActionAnalytics = ({ figures, since }: ActionAnalyticsProps) => {
  const { archive } = usePlaces();
  const actions = mostFirst(figures.actions ?? {});
  return (
    <Panel title="Action Analytics" hint={`What rules did with mail, and how often, ${since}.`}>
      {actions.length === 0 ? (
        <NothingYet>No rule has done anything yet. What rules do with mail stands here.</NothingYet>
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
              <Button size="small" onPress={archive}>
                Show archived mail
              </Button>
            </ButtonRow>
          )}
        </>
      )}
    </Panel>
  );
};
