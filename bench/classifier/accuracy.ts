import { type Category, categories } from "../../core/insights/classification/category.ts";
import { trainingExamples } from "../../core/insights/classification/classifier.ts";
import { type Example, train } from "../../core/insights/classification/naiveBayes.ts";

/** How well a class is told from the others, in shares of 1. */
export interface CategoryAccuracy {
  readonly category: Category;
  /** Of those that are of this category, how many are told so. */
  readonly recall: number;
  /** Of those told to be of this category, how many are. */
  readonly precision: number;
}

export interface Accuracy {
  /** How many examples were held back, each once. */
  readonly tested: number;
  /** The share that is told right. */
  readonly share: number;
  readonly byCategory: readonly CategoryAccuracy[];
}

type Verdict = readonly [is: Category, told: Category];

const verdictsOf = (examples: readonly Example<Category>[], folds: number): readonly Verdict[] =>
  Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const model = train(
      categories,
      examples.filter((_, n) => n % folds !== fold),
    );
    return examples
      .filter((_, n) => n % folds === fold)
      .map(({ category, features }): Verdict => [category, model.classify(features)]);
  });

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Measures the classifier on examples it has not learnt: each fold is held back once while the rest is learnt. */
export const crossValidate = (folds: number): Accuracy => {
  const verdicts = verdictsOf(trainingExamples(), folds);
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
