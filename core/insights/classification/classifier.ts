import { newsletter, promotional, social } from "./bulkMailExamples.ts";
import { type Category, categories } from "./category.ts";
import { featuresOf, signalByLetter, signalsOf } from "./features.ts";
import { important, other, personal, transactional } from "./individualMailExamples.ts";
import { type Example, train } from "./naiveBayes.ts";

/** The training examples by category, written for this project. */
const exampleLines: Readonly<Record<Category, readonly string[]>> = {
  promotional,
  transactional,
  important,
  newsletter,
  social,
  personal,
  other,
};

/** Parses an example line: letters of signals, "|", subject. */
const parseExample = (category: Category, line: string): Example<Category> => {
  const at = line.indexOf("|");
  const present = [...line.slice(0, at)].flatMap((letter) => signalByLetter[letter] ?? []);
  return { category, features: featuresOf(present, line.slice(at + 1)) };
};

/** Returns all training examples, category by category. */
export const trainingExamples = (): readonly Example<Category>[] =>
  categories.flatMap((category) => exampleLines[category].map((line) => parseExample(category, line)));

/** The parts of a mail that determine its category; the body is not used. */
export interface MailHead {
  readonly subject: string;
  /** The header fields with names in lower case and unfolded values. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

export type Classify = (mail: MailHead) => Category;

/**
 * Creates the built-in classifier. Training takes a few milliseconds, classifying a mail some tens of
 * microseconds. Every mail gets a category.
 */
export const createClassifier = (): Classify => {
  const model = train(categories, trainingExamples());
  return ({ subject, headers }) => model.classify(featuresOf(signalsOf(headers), subject));
};
