import { type AiFeature, aiFeatures } from "../../core/contentAccess/aiFeature.ts";
import { useAction } from "../binding/useAction.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { SectionCard } from "../ui/SectionCard.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Switch } from "../ui/Switch.tsx";
import styles from "./AiSection.module.css";
import type { AiCardProps } from "./ContentAccessCard.tsx";

const words: Readonly<Record<AiFeature, { readonly label: string; readonly text: string }>> = {
  categorization: {
    label: "Categorization",
    text: "Sorts each mail into one of seven categories, such as promotions or newsletters.",
  },
  summaries: { label: "Summaries", text: "Writes what a mail says in a sentence or two." },
  prioritization: {
    label: "Prioritization",
    text: "Tells you here when mail comes that is likely to matter to you.",
  },
  enhancedFiltering: {
    label: "Enhanced filtering",
    text: "Lets the spam filter look at what a mail is about, not only at who sent it.",
  },
  contentRules: {
    label: "Content rules",
    text: "Lets rules look at what a mail means, not only at its words.",
  },
  processAttachments: { label: "Attachments", text: "Looks at the names and kinds of attachments too." },
  processLinks: { label: "Links", text: "Looks at where the links in a mail lead." },
};

const notOffered = "This server does not offer it.";

/** The seven things content access is for, each on its own (SG5). */
export const PreferencesCard = ({ contentAccess, view, refresh }: AiCardProps) => {
  const { preferences, pending, origin } = view;
  const change = useAction(contentAccess.setFeature);
  const offers = (feature: AiFeature): boolean => preferences?.offered?.includes(feature) ?? true;
  return (
    <SectionCard
      id="ai-preferences"
      title="AI Preferences"
      level={3}
      text="What content access may be used for. Each is in effect at once."
    >
      {preferences === null &&
        (refresh.problem && !refresh.isRunning ? (
          <Banner
            kind="error"
            action={
              <Button size="small" onPress={() => refresh.run()}>
                Try Again
              </Button>
            }
          >
            {refresh.problem.sentence}
          </Banner>
        ) : (
          <Skeleton height="18rem" shape="block" />
        ))}
      {preferences !== null && (
        <div className={styles.features}>
          {aiFeatures.map((feature) => (
            <Switch
              key={feature}
              label={words[feature].label}
              description={offers(feature) ? words[feature].text : `${words[feature].text} ${notOffered}`}
              isOn={offers(feature) && preferences.features[feature]}
              isDisabled={!offers(feature) || origin !== "server"}
              isPending={pending.has(feature)}
              onChange={(isOn) => change.run(feature, isOn)}
            />
          ))}
        </div>
      )}
    </SectionCard>
  );
};
