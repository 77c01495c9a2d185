import { createClassifier } from "../../core/insights/classification/classifier.ts";
import { crossValidate } from "./accuracy.ts";

const folds = 5;
const mails = 20_000;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(8);

/** Measures the share of unseen mails classified correctly, beside always choosing one category, and the cost. */
export const run = async (): Promise<void> => {
  const { tested, share, byCategory } = crossValidate(folds);
  console.log(`${tested} examples, each tested once (${folds} folds)`);
  console.log(`correct             ${percent(share)}`);
  console.log(`one category always ${percent(1 / byCategory.length)}`);
  for (const { category, recall, precision } of byCategory)
    console.log(`  ${category.padEnd(14)} recall ${percent(recall)}  precision ${percent(precision)}`);
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
    `training ${(learnt - started).toFixed(1)} ms, per mail ${((1000 * (done - learnt)) / mails).toFixed(1)} µs`,
  );
};
