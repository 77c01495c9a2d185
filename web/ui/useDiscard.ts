import { useState } from "react";

/** Closing a form: at once, or after a question while something would be lost. */
export interface Discard {
  readonly ask: () => void;
  readonly isAsking: boolean;
  readonly keep: () => void;
}

export const useDiscard = (isChanged: boolean, onClose: () => void): Discard => {
  const [isAsking, setAsking] = useState(false);
  return {
    ask: () => (isChanged ? setAsking(true) : onClose()),
    isAsking: isAsking && isChanged,
    keep: () => setAsking(false),
  };
};
