import { useCallback, useEffect, useState } from "react";
import { findMark, findObstacle, type PushObstacle } from "./thisDevice.ts";

/** What this browser can show, and the mark of its subscription. */
export interface ThisDevice {
  /** null while it is found out. */
  readonly state: { readonly obstacle: PushObstacle | null; readonly mark: string | null } | null;
  /** Finds it out again, after a permission or a subscription has changed. */
  readonly look: () => Promise<void>;
}

/** Finds out whether this browser can show notifications and is subscribed. */
export const useThisDevice = (): ThisDevice => {
  const [state, setState] = useState<ThisDevice["state"]>(null);
  const look = useCallback(async () => {
    const obstacle = await findObstacle(window);
    setState({ obstacle, mark: obstacle === "unsupported" ? null : await findMark(window) });
  }, []);
  useEffect(() => {
    void look();
  }, [look]);
  return { state, look };
};
