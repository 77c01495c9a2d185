import { Bars } from "../charts/Bars.tsx";
import { counting, mostFirst } from "./counted.ts";
import type { Figures } from "./insightsPart.ts";
import { NothingYet, Panel } from "./Panel.tsx";

const mostTags = 8;

interface TagAnalyticsProps {
  readonly figures: Figures;
  readonly since: string;
}

/** Which tags rules gave to mail (IN5). */
export const TagAnalytics = ({ figures, since }: TagAnalyticsProps) => {
  const tags = mostFirst(figures.tags ?? {});
  const left = tags.length - mostTags;
  return (
    <Panel title="Tag Analytics" hint={`How many mails rules gave a tag ${since}.`}>
      {tags.length === 0 ? (
        <NothingYet>No mail has been tagged yet. A rule with the action “Tag” does that.</NothingYet>
      ) : (
        <Bars
          name="Mails by tag"
          of="Tag"
          parts={[{ label: "Mails", series: 3 }]}
          bars={tags
            .slice(0, mostTags)
            .map(({ name, count }) => ({ key: name, label: name, values: [count] }))}
        />
      )}
      {left > 0 && <p>and {counting(left, "further tag")}.</p>}
    </Panel>
  );
};
