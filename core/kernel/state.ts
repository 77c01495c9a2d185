import { BehaviorSubject, combineLatest, distinctUntilChanged, map, Observable, startWith } from "rxjs";

/** An Observable that emits its current `value` to each new subscriber. One module writes it, others read it. */
export interface State<A> extends Observable<A> {
  readonly value: A;
}

/** A State that can be changed. It stays private to the module that owns it. */
export interface WritableState<A> extends State<A> {
  /** Replaces the value; does not emit when it is identical (`Object.is`). */
  readonly set: (next: A) => void;
  readonly update: (change: (now: A) => A) => void;
}

const readable = <A>(source: Observable<A>, read: () => A): State<A> =>
  Object.defineProperty(new Observable<A>((subscriber) => source.subscribe(subscriber)), "value", {
    get: read,
    enumerable: true,
  }) as State<A>;

/** Creates a state with the value `initial`. */
export const createState = <A>(initial: A): WritableState<A> => {
  const subject = new BehaviorSubject(initial);
  const set = (next: A): void => {
    if (!Object.is(next, subject.value)) subject.next(next);
  };
  return Object.assign(
    readable(subject, () => subject.value),
    {
      set,
      update: (change: (now: A) => A) => set(change(subject.value)),
    },
  );
};

/** Creates a state over an external value: `read` returns it, `changes$` emits when it may have changed. */
export const watchState = <A>(read: () => A, changes$: Observable<unknown>): State<A> =>
  readable(
    changes$.pipe(
      startWith(null),
      map(() => read()),
      distinctUntilChanged(Object.is),
    ),
    read,
  );

/** Derives a state from another; recomputes only when the source has changed. */
export const mapState = <A, B>(source: State<A>, project: (value: A) => B): State<B> => {
  let latest: { from: A; to: B } | undefined;
  const read = (from: A): B => {
    if (!latest || !Object.is(latest.from, from)) latest = { from, to: project(from) };
    return latest.to;
  };
  return readable(source.pipe(map(read), distinctUntilChanged(Object.is)), () => read(source.value));
};

type Values<Sources extends readonly State<unknown>[]> = {
  readonly [I in keyof Sources]: Sources[I] extends State<infer A> ? A : never;
};

/** Derives a state from several; recomputes only when one of them has changed. */
export const combineState = <const Sources extends readonly State<unknown>[], B>(
  sources: Sources,
  project: (...values: Values<Sources>) => B,
): State<B> => {
  let latest: { from: readonly unknown[]; to: B } | undefined;
  const read = (from: readonly unknown[]): B => {
    if (!latest?.from.every((value, i) => Object.is(value, from[i]))) {
      latest = { from, to: project(...(from as Values<Sources>)) };
    }
    return latest.to;
  };
  return readable(combineLatest(sources).pipe(map(read), distinctUntilChanged(Object.is)), () =>
    read(sources.map(({ value }) => value)),
  );
};
