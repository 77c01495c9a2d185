import { type Category, categories } from "./category.ts";
import { writtenExamples } from "./examples/examples.ts";
import { featuresOf } from "./features.ts";
import type { Example } from "./naiveBayes.ts";
import { signalOfLetter } from "./signals.ts";

/** An example as it is written: letters of signals, "|", subject. */
const exampleOf = (category: Category, line: string): Example<Category> => {
  const at = line.indexOf("|");
  const present = [...line.slice(0, at)].flatMap((letter) => signalOfLetter[letter] ?? []);
  return { category, features: featuresOf(present, line.slice(at + 1)) };
};

/** All examples, category by category. */
export const trainingExamples = (): readonly Example<Category>[] =>
  categories.flatMap((category) => writtenExamples[category].map((line) => exampleOf(category, line)));
