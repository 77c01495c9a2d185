/**
 * What a hook makes, under a name that can be handed around before it is made: each use of it goes to the one that
 * `made` answers then. Using it while there is none throws.
 */
export const current = <A extends object>(made: () => A | undefined): A => {
  const now = (): A => {
    const it = made();
    if (!it) throw new Error("this is there only while tests run");
    return it;
  };
  return new Proxy({} as A, {
    get: (_, name) => Reflect.get(now(), name),
    set: (_, name, value) => Reflect.set(now(), name, value),
  });
};
