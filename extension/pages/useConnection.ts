import { useEffect, useState } from "react";
import type { Ports } from "../../core/ports/ports.ts";
import { type Connection, storedConnection } from "../connection/connection.ts";

/** The stored connection, as this page and the other parts of the extension change it; and its change by this page. */
export const useConnection = (
  { storage }: Pick<Ports, "storage">,
  initial: Connection | null,
): readonly [Connection | null, (connection: Connection | null) => void] => {
  const [connection, setConnection] = useState(initial);
  useEffect(() => {
    const watching = storedConnection(storage).changes$.subscribe(setConnection);
    return () => watching.unsubscribe();
  }, [storage]);
  return [connection, setConnection];
};
