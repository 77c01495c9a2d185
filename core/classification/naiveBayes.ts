/** Something whose class is known: what it is made of, and the class. */
export interface Example<C extends string> {
  readonly category: C;
  readonly features: readonly string[];
}

/** How likely each class is, in natural logarithms, up to a constant they share. */
export type Scores<C extends string> = Readonly<Record<C, number>>;

export interface NaiveBayes<C extends string> {
  readonly scores: (features: readonly string[]) => Scores<C>;
  /** The likeliest class; of equal ones the first. */
  readonly classify: (features: readonly string[]) => C;
}

/** A third of a sighting for each feature that a class has not shown: less than Laplace's whole one suits short texts. */
const smoothing = 0.3;

interface Counted {
  readonly examples: number;
  readonly features: ReadonlyMap<string, number>;
  readonly total: number;
}

const countedOf = <C extends string>(category: C, examples: readonly Example<C>[]): Counted => {
  const own = examples.filter((example) => example.category === category);
  const features = new Map<string, number>();
  for (const feature of own.flatMap((example) => example.features))
    features.set(feature, (features.get(feature) ?? 0) + 1);
  return {
    examples: own.length,
    features,
    total: [...features.values()].reduce((sum, count) => sum + count, 0),
  };
};

/**
 * Learns multinomial naive Bayes with additive smoothing from examples. Scoring costs one look-up for each feature and
 * class. Features never seen in training say nothing.
 */
export const learn = <C extends string>(
  classes: readonly C[],
  examples: readonly Example<C>[],
): NaiveBayes<C> => {
  const known = new Set(examples.flatMap(({ features }) => features));
  const counted = new Map(classes.map((category) => [category, countedOf(category, examples)]));
  const logLikelihood = ({ features, total }: Counted, feature: string): number =>
    Math.log(((features.get(feature) ?? 0) + smoothing) / (total + smoothing * known.size));
  const scoreOf = (category: C, features: readonly string[]): number => {
    const count = counted.get(category);
    if (!count || count.examples === 0) return Number.NEGATIVE_INFINITY;
    return features.reduce(
      (sum, feature) => sum + logLikelihood(count, feature),
      Math.log(count.examples / examples.length),
    );
  };
  const scores = (features: readonly string[]): Scores<C> => {
    const said = features.filter((feature) => known.has(feature));
    return Object.fromEntries(classes.map((category) => [category, scoreOf(category, said)])) as Scores<C>;
  };
  return {
    scores,
    classify: (features) => {
      const all = scores(features);
      return classes.reduce((best, category) => (all[category] > all[best] ? category : best));
    },
  };
};
