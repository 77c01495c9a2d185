import type { Task } from "fp-ts/lib/Task.js";

// fp-ts starts a mapped task a microtask later. These start it at once: an optimistic change shows immediately, and a
// request reads the token before a logout deletes it.

/** Builds a task when it runs, from the state of that moment. */
export const deferTask =
  <A>(build: () => Task<A>): Task<A> =>
  () =>
    build()();

/** Maps the result of a task. */
export const mapResult =
  <A, B>(project: (result: A) => B) =>
  (task: Task<A>): Task<B> =>
  () =>
    task().then(project);

/** Continues with another task, which depends on the result of the first. */
export const chainResult =
  <A, B>(next: (result: A) => Task<B>) =>
  (task: Task<A>): Task<B> =>
  () =>
    task().then((result) => next(result)());

/** Calls `effect` with the result and returns the result. */
export const tapResult = <A>(effect: (result: A) => void): ((task: Task<A>) => Task<A>) =>
  mapResult((result) => {
    effect(result);
    return result;
  });

/** Calls `effect` right after the task has started. */
export const onStarted =
  (effect: () => void) =>
  <A>(task: Task<A>): Task<A> =>
  () => {
    const running = task();
    effect();
    return running;
  };

/** Calls `effect` when the task has ended in any way. */
export const onEnd =
  (effect: () => void) =>
  <A>(task: Task<A>): Task<A> =>
  () =>
    task().finally(effect);

/** Replaces a rejection, for a port whose promise may reject. fp-ts's `tryCatch` would add 0.6 kB to the first load. */
export const onRejection =
  <B>(recover: () => B) =>
  <A>(task: Task<A>): Task<A | B> =>
  () =>
    task().catch(recover);

/** Runs a task at the edge, for a port that takes a promise. */
export const runTask = <A>(task: Task<A>): Promise<A> => task();

/** Starts a task at the edge, where nobody waits for its result. */
export const startTask = (task: Task<unknown>): void => {
  void task();
};

/** Starts a task and returns one that ends with its result. */
export const beginTask = <A>(task: Task<A>): Task<A> => {
  const running = task();
  return () => running;
};

/** Creates a queue that runs the tasks of each key one after another, in the order in which they were started. */
export const createTaskQueue = (): (<A>(key: string, task: Task<A>) => Task<A>) => {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => () => {
    const running = (last.get(key) ?? Promise.resolve()).then(task);
    last.set(key, running);
    return running.finally(() => {
      if (last.get(key) === running) last.delete(key);
    });
  };
};
