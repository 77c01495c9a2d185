/**
 * The users whose changes a handle on the tables records. A transaction has a set of its own, whose users are announced
 * once it has committed.
 */
const setsByHandle = new WeakMap<object, Set<string>>();

/** Collects the users whose changes are recorded with a handle. */
export const collectChangedUsers = (handle: object, users: Set<string>): void => {
  setsByHandle.set(handle, users);
};

/** Adds users to those whose changes were recorded with a handle. */
export const noteChangedUsers = (handle: object, users: Iterable<string>): void => {
  const set = setsByHandle.get(handle);
  if (set) for (const userId of users) set.add(userId);
};
