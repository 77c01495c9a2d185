import { useCallback, useEffect, useState } from "react";
import { findObstacle, findOwn, type OwnSubscription, type PushObstacle } from "./thisDevice.ts";

/** What this browser can show, and its subscription. */
export interface ThisDevice {
  /** null while it is found out. */
  readonly state: { readonly obstacle: PushObstacle | null; readonly own: OwnSubscription | null } | null;
  /** Finds it out again, after a permission or a subscription has changed. */
  readonly look: () => Promise<void>;
}

/** Finds out whether this browser can show notifications and is subscribed. */
export const useThisDevice = (): ThisDevice => {
  const [state, setState] = useState<ThisDevice["state"]>(null);
  const look = useCallback(async () => {
    const obstacle = await findObstacle(window);
    setState({ obstacle, own: obstacle === "unsupported" ? null : await findOwn(window) });
  }, []);
  useEffect(() => {
    void look();
  }, [look]);
  return { state, look };
};
