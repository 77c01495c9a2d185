/** Work on an input that is ready. */
export type Work = () => unknown;

/**
 * Processor time of this thread in microseconds; other processes and waiting do not count. Some systems count it in steps of
 * 4 or 10 ms, and 3 ms may be 0 there.
 */
const costOf = async (work: Work): Promise<number> => {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
};

/**
 * Growth for four times the input: 2.3 for each doubling, where linear work has 2 and quadratic work 4, and a quarter more,
 * because more memory costs more time.
 */
const maxGrowth = 2.3 ** 2 * 1.25;

/**
 * Milliseconds of the clock for the smallest input. What needs less stays below a third of a second for 16 times the input
 * even with quadratic work. The clock has no steps, and never counts less than the processor time.
 */
const harmlessMs = 1;
/** Shorter times are not compared: compilation and garbage collection take as long. */
const floorMicros = 4_000;
/** Longer times are not confirmed with a larger input; no parser may need as much for 64 kB. */
const tooLongMicros = 1_000_000;
/** Whatever the growth is, less time than this for the largest input is harmless. */
const harmlessLargeMicros = 400_000;
const repeats = 4;

const kilobyte = 1_024;
const [small, middle, large] = [64 * kilobyte, 256 * kilobyte, 1_024 * kilobyte];

/** Returns the shortest of several times; the first ones include compilation. */
const bestCostOf = async (work: Work): Promise<number> => {
  let best = await costOf(work);
  for (let n = 1; n < repeats && best < tooLongMicros; n += 1) best = Math.min(best, await costOf(work));
  return best;
};

const isOver = (one: number, four: number): boolean => four > maxGrowth * Math.max(one, floorMicros);

const describeCosts = (costs: readonly number[]): string =>
  [small, middle, large]
    .slice(0, costs.length)
    .map((bytes, n) => `${Math.round((costs[n] ?? 0) / 1_000)} ms for ${bytes / kilobyte} kB`)
    .join(", ");

const measureGrowth = async (
  prepare: (bytes: number) => Work,
  isThorough: boolean,
): Promise<string | null> => {
  const first = prepare(small);
  const start = performance.now();
  const cost = await costOf(first);
  const isHarmless = performance.now() - start < harmlessMs;
  if (cost > tooLongMicros) return describeCosts([cost]);
  if (!isThorough && isHarmless) return null;
  const second = prepare(middle);
  const costOfSecond = await costOf(second);
  if (!isThorough && !isOver(Math.min(cost, await costOf(first)), costOfSecond)) return null;
  const steps = [await bestCostOf(first), await bestCostOf(second)] as const;
  const isFirstOver = isOver(...steps);
  if (isFirstOver && steps[1] > tooLongMicros) return describeCosts(steps);
  if (!isFirstOver && !isThorough) return null;
  const third = await bestCostOf(prepare(large));
  const isGrowing =
    third > harmlessLargeMicros && isOver(steps[1], third) && (isFirstOver || third > tooLongMicros);
  return isGrowing ? describeCosts([...steps, third]) : null;
};

/**
 * Returns the times of work whose growth is more than linear; null when it is linear. `prepare` returns the work on an
 * input of so many bytes. A growth counts when it exceeds 2.3 for twice the input in both steps, from 64 kB over 256 kB to
 * 1 MB, each with the best of several times, so that no single pause and no single step of a cache counts. The smallest input
 * is measured again once its code is compiled, or the compilation would conceal the growth. Work of less than a millisecond
 * on 64 kB is not measured further, unless it `isThorough`.
 */
export const findGrowth = async (
  prepare: (bytes: number) => Work,
  isThorough = false,
): Promise<string | null> =>
  // Beside other work memory is slower for a while, which linear work then shows, but not twice.
  (await measureGrowth(prepare, isThorough)) && measureGrowth(prepare, isThorough);
