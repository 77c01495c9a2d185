import { useApp } from "../binding/useApp.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { PageHead } from "../ui/PageHead.tsx";
import { InsightsScreen } from "./InsightsScreen.tsx";
import { InsightsSkeleton } from "./InsightsSkeleton.tsx";

/** What came of the user's mail, and what would help (IN1). */
export const InsightsTab = () => {
  const { insights } = useApp();
  const skeleton = (
    <>
      <PageHead title="Email Insights" />
      <InsightsSkeleton />
    </>
  );
  return (
    <WithPart late={insights} skeleton={skeleton}>
      {(part) => <InsightsScreen insights={part} />}
    </WithPart>
  );
};
