import { createClassifier } from "../../core/insights/classification/classifier.ts";
import { crossValidate } from "./accuracy.ts";

const folds = 5;
const mails = 20_000;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(8);

/** How well the classifier tells mail it has not learnt from, beside always saying the commonest, and what it costs. */
export const run = async (): Promise<void> => {
  const { tested, share, byCategory } = crossValidate(folds);
  console.log(`${tested} examples, each held back once (${folds} folds)`);
  console.log(`told right          ${percent(share)}`);
  console.log(`always the same one ${percent(1 / byCategory.length)}`);
  for (const { category, recall, precision } of byCategory)
    console.log(`  ${category.padEnd(14)} found ${percent(recall)}  right ${percent(precision)}`);
  const unlisted = crossValidate(folds, false);
  console.log(`mass mail without list headers (${unlisted.tested}) ${percent(unlisted.share)}`);
  const started = performance.now();
  const classify = createClassifier();
  const learnt = performance.now();
  for (let n = 0; n < mails; n += 1)
    classify({
      subject: `Your order ${n} has been shipped, thank you for your purchase`,
      headers: [{ name: "from", value: "Shop <no-reply@shop.example>" }],
    });
  const done = performance.now();
  console.log(
    `learning ${(learnt - started).toFixed(1)} ms, a mail ${((1000 * (done - learnt)) / mails).toFixed(1)} µs`,
  );
};
