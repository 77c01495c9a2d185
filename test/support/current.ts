/**
 * Returns a proxy for an object that a hook creates later: each access goes to the object that `made` returns at that
 * time. Access while there is none throws.
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
