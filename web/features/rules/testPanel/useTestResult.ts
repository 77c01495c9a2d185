import { useEffect, useMemo, useState } from "react";
import { createRulesAndSync } from "../../../../core/app/rulesAndSync.ts";
import { createContentAccess } from "../../../../core/contentAccess/contentAccess.ts";
import { isContentAccessOn } from "../../../../core/contentAccess/contentAccessView.ts";
import { createDestinations } from "../../../../core/destinations/destinations.ts";
import { createClassifier } from "../../../../core/insights/classification/classifier.ts";
import { traitsOf } from "../../../../core/insights/classification/mailFeatures.ts";
import { createSenderHabits } from "../../../../core/insights/senderHabits.ts";
import { domainOf } from "../../../../core/mail/emailAddress.ts";
import { maskFacts } from "../../../../core/rules/editing/maskFacts.ts";
import { getRequirements, joinRules, prepareRules } from "../../../../core/rules/engine/evaluate.ts";
import { writtenProof } from "../../../../core/rules/engine/facts.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import type { RuleLists } from "../../../../core/rules/model/rulePlace.ts";
import { useAction } from "../../../react/useAction.ts";
import { useApp, useFeature, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { type TriedMail, tryMail } from "./tryMail.ts";

/** The rules that a mail is tested on. */
export interface TestPanelProps {
  readonly maskId: string;
  readonly rules: RuleLists<readonly Rule[]>;
}

/** The facts that the user chose instead of what the relay would know; undefined leaves them to the relay. */
export interface ChosenFacts {
  /** null for a mail without a category. */
  readonly category: string | null | undefined;
  readonly receivedThisMonth: number | undefined;
  /** Bytes of a mail of which only the beginning is tested. */
  readonly size: number | undefined;
}

/** null while there is no mail. */
type TestResult = TriedMail | { readonly failed: true } | null;

/** Milliseconds from the last keystroke to the test. */
const debounceMs = 200;

let classify: ReturnType<typeof createClassifier> | undefined;

/** Says whether the relay classifies the user's mail, and whether another model than the built-in one does. */
export const useClassification = (isNeeded: boolean) => {
  const contentAccess = useFeature(createContentAccess);
  const view = useObservable(contentAccess.view$);
  const refresh = useAction(contentAccess.refresh);
  const { run } = refresh;
  useEffect(() => {
    if (isNeeded) run();
  }, [isNeeded, run]);
  return {
    isOn: isContentAccessOn(view) && view.preferences?.features.categorization === true,
    externalModel: view.access?.externalModel,
  };
};

/** Returns the confirmed addresses; until the server answers, those of the account and its masks. */
const useConfirmedAddresses = (): readonly string[] => {
  const { session } = useApp();
  const { masks, account } = useSignedIn();
  const destinations = useFeature(createDestinations);
  const { run } = useAction(destinations.refresh);
  const list = useObservable(destinations.list$);
  const { all } = useObservable(masks.view$);
  const details = useObservable(account.account$);
  const state = useObservable(session.state$);
  useEffect(() => run(), [run]);
  if (list !== null) return list.filter(({ status }) => status === "confirmed").map(({ email }) => email);
  const own = details?.email || (state.kind === "signed-in" ? state.user.email : "");
  return [
    own,
    ...all.filter((mask) => mask.destinationStatus !== "awaiting-confirmation").map((mask) => mask.forwardTo),
  ];
};

/** Returns what must be known before a mail is tested on the lists. */
export const requirementsOf = ({
  before,
  mask,
  after,
}: TestPanelProps["rules"]): ReturnType<typeof getRequirements> =>
  getRequirements([...before, ...mask, ...after]);

/** Tests a mail on rules as the relay would, a moment after the last change of what it depends on. */
export const useTestResult = (
  { maskId, rules }: TestPanelProps,
  mail: Uint8Array,
  chosen: ChosenFacts,
): TestResult => {
  const { configuration } = useApp();
  const { masks } = useSignedIn();
  const { patterns } = useFeature(createRulesAndSync);
  const { all } = useObservable(masks.view$);
  const confirmedKey = useConfirmedAddresses().join("\n");
  const { sources } = useMemo(() => requirementsOf(rules), [rules]);
  const habits = useFeature(createSenderHabits);
  const { isOn: isClassified } = useClassification(sources.has("classifier"));
  const [result, setResult] = useState<TestResult>(null);
  const mask = all.find(({ id }) => id === maskId);
  const { category, receivedThisMonth, size } = chosen;
  const { maskDomain } = configuration;

  useEffect(() => {
    if (!mask || mail.length === 0) {
      setResult(null);
      return;
    }
    let isCurrent = true;
    const now = Date.now();
    const known = maskFacts(mask, now);
    const classified = async ({ subject, headers, from }: TriedMail["message"], text: string) => {
      if (!isClassified || !sources.has("classifier")) return null;
      classify ??= createClassifier();
      const sender = await habits.read(maskId, domainOf(from?.address ?? ""))();
      return classify({ subject, headers, traits: traitsOf(text, sender) });
    };
    const factsOf = async (message: TriedMail["message"], text: string) => {
      return {
        mask: { ...known, receivedThisMonth: receivedThisMonth ?? known.receivedThisMonth },
        account: { confirmed: confirmedKey.split("\n"), ownDomains: [maskDomain] },
        category: category === undefined ? await classified(message, text) : category,
        size: size ?? mail.length,
        proof: writtenProof(message.headers),
        now,
      };
    };
    const run = async (): Promise<void> => {
      const needed = requirementsOf(rules);
      const compile = needed.patterns ? await patterns().catch(() => undefined) : undefined;
      const prepared = joinRules({
        before: prepareRules(rules.before, compile, "before"),
        mask: prepareRules(rules.mask, compile),
        after: prepareRules(rules.after, compile, "after"),
      });
      const outcome = await tryMail(prepared, mail, factsOf).catch((): TestResult => ({ failed: true }));
      if (isCurrent) setResult(outcome);
    };
    const wait = setTimeout(() => void run(), debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(wait);
    };
  }, [
    mask,
    mail,
    rules,
    category,
    receivedThisMonth,
    size,
    confirmedKey,
    isClassified,
    maskDomain,
    patterns,
    maskId,
    sources,
    habits,
  ]);
  return result;
};
