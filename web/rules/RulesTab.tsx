import { useApp } from "../binding/useApp.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { PageHead } from "../ui/PageHead.tsx";
import { RulesScreen } from "./RulesScreen.tsx";
import { RulesSkeleton } from "./RulesSkeleton.tsx";

/** What happens to the mail of each mask (RU1). */
export const RulesTab = () => {
  const { rules } = useApp();
  const skeleton = (
    <>
      <PageHead title="Custom Rules" />
      <RulesSkeleton />
    </>
  );
  return (
    <WithPart late={rules} skeleton={skeleton}>
      {(part) => <RulesScreen part={part} />}
    </WithPart>
  );
};
