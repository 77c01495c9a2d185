import type { Category } from "../category.ts";
import { important } from "./important.ts";
import { newsletter } from "./newsletter.ts";
import { other } from "./other.ts";
import { personal } from "./personal.ts";
import { promotional } from "./promotional.ts";
import { social } from "./social.ts";
import { transactional } from "./transactional.ts";

/** What the classifier learns from: mail of our own making, by its category. */
export const writtenExamples: Readonly<Record<Category, readonly string[]>> = {
  promotional,
  transactional,
  important,
  newsletter,
  social,
  personal,
  other,
};
