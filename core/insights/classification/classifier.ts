import { newsletter, promotional, social } from "./bulkMailExamples.ts";
import { type Category, categories } from "./category.ts";
import { important, other, personal, transactional } from "./individualMailExamples.ts";
import { featuresOf, signalByLetter, signalsOf, type Trait } from "./mailFeatures.ts";
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

/**
 * The frequency of a trait in a category: in one of so many mails, 0 for never. The examples have subjects and headers only, so
 * this is an assumption about mail, not a count.
 */
const traitFrequency: Readonly<Record<Category, Readonly<Record<Trait, number>>>> = {
  promotional: { "unsubscribe-link": 1, "many-masks": 2, regular: 2 },
  transactional: { "unsubscribe-link": 6, "many-masks": 8, regular: 3 },
  important: { "unsubscribe-link": 12, "many-masks": 12, regular: 4 },
  newsletter: { "unsubscribe-link": 1, "many-masks": 3, regular: 1 },
  social: { "unsubscribe-link": 2, "many-masks": 8, regular: 2 },
  personal: { "unsubscribe-link": 0, "many-masks": 0, regular: 3 },
  other: { "unsubscribe-link": 12, "many-masks": 6, regular: 4 },
};

const listLetters = /[ulb]/g;

/** An example line, read without the classifier. */
export interface ExampleMail {
  readonly category: Category;
  readonly signals: readonly NonNullable<(typeof signalByLetter)[string]>[];
  readonly traits: readonly Trait[];
  readonly subject: string;
  /** The same mail from a sender who writes no list headers. */
  readonly isWithoutListHeaders: boolean;
}

const toMail = (category: Category, letters: string, subject: string, n: number): ExampleMail => ({
  category,
  signals: [...letters].flatMap((letter) => signalByLetter[letter] ?? []),
  traits: (Object.entries(traitFrequency[category]) as [Trait, number][]).flatMap(([trait, every]) =>
    every > 0 && n % every === 0 ? [trait] : [],
  ),
  subject,
  isWithoutListHeaders: false,
});

/** Parses an example line, letters of signals, "|", subject; of mass mail also as it looks without list headers. */
const parseExample = (category: Category, line: string, n: number): readonly ExampleMail[] => {
  const at = line.indexOf("|");
  const letters = line.slice(0, at);
  const subject = line.slice(at + 1);
  const mail = toMail(category, letters, subject, n);
  const plain = letters.replace(listLetters, "");
  return plain === letters
    ? [mail]
    : [mail, { ...toMail(category, plain, subject, n), isWithoutListHeaders: true }];
};

/** Returns all example mails, category by category; those of one line stand together. */
export const exampleMails = (): readonly (readonly ExampleMail[])[] =>
  categories.flatMap((category) => exampleLines[category].map((line, n) => parseExample(category, line, n)));

/** Returns what the classifier learns of an example: once with its traits, and once as if they were unknown. */
export const toExamples = ({
  category,
  signals,
  traits,
  subject,
}: ExampleMail): readonly Example<Category>[] =>
  [traits, null].map((known) => ({ category, features: featuresOf(signals, subject, known) }));

/** The parts of a mail that determine its category. */
export interface MailHead {
  readonly subject: string;
  /** The header fields with names in lower case and unfolded values. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Absent when they were not determined. */
  readonly traits?: readonly Trait[];
}

export type Classify = (mail: MailHead) => Category;

/**
 * Creates the built-in classifier. Training takes a few milliseconds, classifying a mail some tens of microseconds.
 * Every mail gets a category.
 */
export const createClassifier = (): Classify => {
  const model = train(categories, exampleMails().flat().flatMap(toExamples));
  return ({ subject, headers, traits = null }) =>
    model.classify(featuresOf(signalsOf(headers), subject, traits));
};
