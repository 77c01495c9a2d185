import { createContext, useContext, useEffect } from "react";

/** Names a part of what is shown, for the title of the document; null without one. */
export const PartTitle = createContext<(part: string | null) => void>(() => {});

/** Has the title of the document begin with a part of what is shown: "Security · Settings · Bauta". */
export const usePartTitle = (part: string | null): void => {
  const name = useContext(PartTitle);
  useEffect(() => {
    name(part);
    return () => name(null);
  }, [name, part]);
};
