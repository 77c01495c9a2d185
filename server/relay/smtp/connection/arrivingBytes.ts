/** Limits the arriving bytes of each network, so that one sender cannot fill the spool with unfinished mail. */
export interface ArrivingBytes {
  /** Counts bytes; false when the network has reached the limit. Null is not limited. */
  readonly add: (network: string | null, bytes: number) => boolean;
  readonly remove: (network: string | null, bytes: number) => void;
}

/** Creates the count of bytes that arrive from each network. */
export const createArrivingBytes = (limit: number): ArrivingBytes => {
  const counts = new Map<string, number>();
  return {
    add: (network, bytes) => {
      if (network === null) return true;
      const count = (counts.get(network) ?? 0) + bytes;
      if (count > limit) return false;
      counts.set(network, count);
      return true;
    },
    remove: (network, bytes) => {
      if (network === null || bytes === 0) return;
      const left = (counts.get(network) ?? 0) - bytes;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    },
  };
};
