import { type Category, categories } from "../../core/insights/classification/category.ts";
import { type ExampleMail, exampleMails, toExamples } from "../../core/insights/classification/classifier.ts";
import { featuresOf } from "../../core/insights/classification/mailFeatures.ts";
import { train } from "../../core/insights/classification/naiveBayes.ts";

/** How well the classifier recognizes a category, as shares from 0 to 1. */
export interface CategoryAccuracy {
  readonly category: Category;
  /** The share of this category's examples that are classified as this category. */
  readonly recall: number;
  /** The share of the examples classified as this category that belong to it. */
  readonly precision: number;
}

export interface Accuracy {
  /** How many examples were tested, each once. */
  readonly tested: number;
  /** The share that is classified correctly. */
  readonly share: number;
  readonly byCategory: readonly CategoryAccuracy[];
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

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/**
 * Cross-validates the classifier: each fold is tested on a classifier trained with the others. Without
 * `withListHeaders` mass mail is tested as it looks without list headers.
 */
export const crossValidate = (folds: number, withListHeaders = true): Accuracy => {
  const verdicts = verdictsOf(exampleMails(), folds, (mail) => mail.isWithoutListHeaders !== withListHeaders);
  const count = (test: (verdict: Verdict) => boolean): number => verdicts.filter(test).length;
  return {
    tested: verdicts.length,
    share: share(
      count(([is, told]) => is === told),
      verdicts.length,
    ),
    byCategory: categories.map((category) => {
      const right = count(([is, told]) => is === category && told === category);
      return {
        category,
        recall: share(
          right,
          count(([is]) => is === category),
        ),
        precision: share(
          right,
          count(([, told]) => told === category),
        ),
      };
    }),
  };
};
