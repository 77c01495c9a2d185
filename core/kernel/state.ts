import {
  BehaviorSubject,
  combineLatest,
  distinctUntilChanged,
  map,
  Observable,
  of,
  startWith,
  switchMap,
} from "rxjs";

/**
 * Something that is true now and may be otherwise later: an Observable that repeats its
 * current `value` to each new subscriber. Written by one hand, read by many.
 */
export interface State<A> extends Observable<A> {
  readonly value: A;
}

/** A State together with the right to change it. Keep it private to the module that owns it. */
export interface WritableState<A> extends State<A> {
  /** Replaces the value. An identical value (`Object.is`) is not announced. */
  readonly set: (next: A) => void;
  /** Replaces the value by one computed from it. */
  readonly update: (change: (now: A) => A) => void;
}

const readable = <A>(source: Observable<A>, read: () => A): State<A> =>
  Object.defineProperty(new Observable<A>((subscriber) => source.subscribe(subscriber)), "value", {
    get: read,
    enumerable: true,
  }) as State<A>;

/** Makes a state that holds `initial` until it is set. */
export const makeState = <A>(initial: A): WritableState<A> => {
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

/** A state that lives elsewhere: `read` gives its value, `changes$` says when to look again. */
export const watchState = <A>(read: () => A, changes$: Observable<unknown>): State<A> =>
  readable(
    changes$.pipe(
      startWith(null),
      map(() => read()),
      distinctUntilChanged(Object.is),
    ),
    read,
  );

/** A state derived from another; recomputed only when its source has changed. */
export const mapState = <A, B>(source: State<A>, project: (value: A) => B): State<B> => {
  let seen: { from: A; to: B } | undefined;
  const read = (from: A): B => {
    if (!seen || !Object.is(seen.from, from)) seen = { from, to: project(from) };
    return seen.to;
  };
  return readable(source.pipe(map(read), distinctUntilChanged(Object.is)), () => read(source.value));
};

type Values<Sources extends readonly State<unknown>[]> = {
  readonly [I in keyof Sources]: Sources[I] extends State<infer A> ? A : never;
};

/** A state derived from several; recomputed only when one of them has changed. */
export const combineState = <const Sources extends readonly State<unknown>[], B>(
  sources: Sources,
  project: (...values: Values<Sources>) => B,
): State<B> => {
  let seen: { from: readonly unknown[]; to: B } | undefined;
  const read = (from: readonly unknown[]): B => {
    if (!seen?.from.every((value, i) => Object.is(value, from[i]))) {
      seen = { from, to: project(...(from as unknown as Values<Sources>)) };
    }
    return seen.to;
  };
  return readable(combineLatest(sources).pipe(map(read), distinctUntilChanged(Object.is)), () =>
    read(sources.map(({ value }) => value)),
  );
};

/** A state inside something that may not be there; `otherwise` while it is not. */
export const stateWithin = <A, B>(
  outer: State<A | null>,
  inner: (value: A) => State<B>,
  otherwise: B,
): State<B> => {
  const read = (): B => (outer.value === null ? otherwise : inner(outer.value).value);
  return readable(
    outer.pipe(
      switchMap((value) => (value === null ? of(otherwise) : inner(value))),
      distinctUntilChanged(Object.is),
    ),
    read,
  );
};
