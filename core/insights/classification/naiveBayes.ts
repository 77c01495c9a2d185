/** A training example: its features and its class. */
export interface Example<C extends string> {
  readonly category: C;
  readonly features: readonly string[];
}

/** The log likelihood of each class, up to a common constant. */
export type Scores<C extends string> = Readonly<Record<C, number>>;

export interface NaiveBayes<C extends string> {
  readonly scores: (features: readonly string[]) => Scores<C>;
  /** Returns the likeliest class, the first of equal ones. */
  readonly classify: (features: readonly string[]) => C;
}

/** The additive smoothing; it is below Laplace's 1 because the texts are short. */
const smoothing = 0.3;

interface ClassCounts {
  readonly examples: number;
  readonly features: ReadonlyMap<string, number>;
  readonly total: number;
}

const countFeatures = <C extends string>(category: C, examples: readonly Example<C>[]): ClassCounts => {
  const ofClass = examples.filter((example) => example.category === category);
  const features = new Map<string, number>();
  for (const feature of ofClass.flatMap((example) => example.features))
    features.set(feature, (features.get(feature) ?? 0) + 1);
  return {
    examples: ofClass.length,
    features,
    total: [...features.values()].reduce((sum, count) => sum + count, 0),
  };
};

/** Trains a multinomial naive Bayes classifier. Features that are not in the examples are ignored. */
export const train = <C extends string>(
  classes: readonly C[],
  examples: readonly Example<C>[],
): NaiveBayes<C> => {
  const vocabulary = new Set(examples.flatMap(({ features }) => features));
  const countsByClass = new Map(classes.map((category) => [category, countFeatures(category, examples)]));
  const logLikelihood = ({ features, total }: ClassCounts, feature: string): number =>
    Math.log(((features.get(feature) ?? 0) + smoothing) / (total + smoothing * vocabulary.size));
  const scoreOf = (category: C, features: readonly string[]): number => {
    const count = countsByClass.get(category);
    if (!count || count.examples === 0) return Number.NEGATIVE_INFINITY;
    return features.reduce(
      (sum, feature) => sum + logLikelihood(count, feature),
      Math.log(count.examples / examples.length),
    );
  };
  const scores = (features: readonly string[]): Scores<C> => {
    const knownFeatures = features.filter((feature) => vocabulary.has(feature));
    return Object.fromEntries(
      classes.map((category) => [category, scoreOf(category, knownFeatures)]),
    ) as Scores<C>;
  };
  return {
    scores,
    classify: (features) => {
      const classScores = scores(features);
      return classes.reduce((best, category) =>
        classScores[category] > classScores[best] ? category : best,
      );
    },
  };
};
