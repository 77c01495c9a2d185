import { type Category, Category as CategoryCodec } from "../../core/classification/category.ts";
import { type MailHead, makeClassifier } from "../../core/classification/classifier.ts";
import type { Message } from "../../core/relay/message.ts";
import type { Route } from "../store/routes.ts";

/** What a mail is for; null while its owner wants no mail classified. Never rejects. */
export type CategoryOf = (message: Message, route: Route) => Promise<string | null>;

/** Nobody is told. */
export const unclassified: CategoryOf = async () => null;

/** Whether the owner of a mask wants its mail classified (SG5). */
export const isClassified = ({ consent }: Pick<Route, "consent">): boolean =>
  consent?.features.categorization === true;

/** A model elsewhere that knows categories too. Resolves with null when it does not answer in time. */
export interface ExternalModel {
  /** As users were told, who have agreed to it. */
  readonly host: string;
  readonly ask: (mail: MailHead) => Promise<string | null>;
}

/**
 * Makes what tells the category of mail: the classifier at hand, or a model elsewhere for those who have agreed to that
 * very one, with the classifier at hand whenever it does not answer.
 */
export const makeCategoryOf = ({ external }: { readonly external: ExternalModel | null }): CategoryOf => {
  let classify: ReturnType<typeof makeClassifier> | undefined;
  const here = (message: Message): Category => {
    classify ??= makeClassifier();
    return classify(message);
  };
  const elsewhere = async (message: Message): Promise<Category | null> => {
    const { subject, headers } = message;
    const answer = CategoryCodec.decode(await external?.ask({ subject, headers }));
    return answer._tag === "Right" ? answer.right : null;
  };
  /** A mail to several masks is asked about once. */
  const asked = new WeakMap<Message, Promise<Category | null>>();
  const askedOnce = (message: Message): Promise<Category | null> => {
    const known = asked.get(message) ?? elsewhere(message);
    asked.set(message, known);
    return known;
  };
  return async (message, route) => {
    if (!isClassified(route)) return null;
    const isAgreed = external !== null && route.consent?.externalModel === external.host;
    return (isAgreed ? await askedOnce(message) : null) ?? here(message);
  };
};
