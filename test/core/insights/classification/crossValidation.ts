import { type Category, categories } from "../../../../core/insights/classification/category.ts";
import {
  type ExampleMail,
  exampleMails,
  toExamples,
} from "../../../../core/insights/classification/classifier.ts";
import { featuresOf } from "../../../../core/insights/classification/mailFeatures.ts";
import { train } from "../../../../core/insights/classification/naiveBayes.ts";

/** How often the classifier is right, as shares from 0 to 1. */
export interface Accuracy {
  /** How many examples were tested, each once. */
  readonly tested: number;
  readonly share: number;
  /** The share of each category's examples that are classified as it. */
  readonly shares: Readonly<Partial<Record<Category, number>>>;
}

type Verdict = readonly [is: Category, told: Category];

type Mails = readonly (readonly ExampleMail[])[];

const verdictsOf = (
  mails: Mails,
  folds: number,
  isTested: (mail: ExampleMail) => boolean,
): readonly Verdict[] =>
  Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const learned = mails.filter((_, n) => n % folds !== fold).flat();
    const model = train(categories, learned.flatMap(toExamples));
    return mails
      .filter((_, n) => n % folds === fold)
      .flat()
      .filter(isTested)
      .map(
        ({ category, signals, traits, subject }): Verdict => [
          category,
          model.classify(featuresOf(signals, subject, traits)),
        ],
      );
  });

/**
 * Cross-validates the classifier: each fold is tested on a classifier trained with the others. Without
 * `withListHeaders` mass mail is tested as it looks without list headers.
 */
export const crossValidate = (folds: number, withListHeaders = true): Accuracy => {
  const verdicts = verdictsOf(exampleMails(), folds, (mail) => mail.isWithoutListHeaders !== withListHeaders);
  const share = (of: readonly Verdict[]): number => of.filter(([is, told]) => is === told).length / of.length;
  const shares = categories.map((category) => [category, share(verdicts.filter(([is]) => is === category))]);
  return { tested: verdicts.length, share: share(verdicts), shares: Object.fromEntries(shares) };
};
