/** Limits the bytes of mail that is being received from each network, so that one sender cannot fill the spool. */
export interface ArrivingBytes {
  /**
   * Counts bytes of a mail; false when its network has reached the limit. Null stands for this host, which speaks for many
   * senders: only its mail in files is limited.
   */
  readonly add: (network: string | null, bytes: number, isInFile: boolean) => boolean;
  readonly remove: (network: string | null, bytes: number) => void;
}

/** The most bytes at a time. */
export interface ArrivingLimits {
  readonly perNetwork: number;
  readonly ofThisHost: number;
}

/** Creates the count of bytes that are being received from each network. */
export const createArrivingBytes = ({ perNetwork, ofThisHost }: ArrivingLimits): ArrivingBytes => {
  const counts = new Map<string | null, number>();
  return {
    add: (network, bytes, isInFile) => {
      const count = (counts.get(network) ?? 0) + bytes;
      if (network === null ? isInFile && count > ofThisHost : count > perNetwork) return false;
      counts.set(network, count);
      return true;
    },
    remove: (network, bytes) => {
      if (bytes === 0) return;
      const left = (counts.get(network) ?? 0) - bytes;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    },
  };
};
