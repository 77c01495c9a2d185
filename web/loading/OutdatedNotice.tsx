import type { Outdated } from "../../core/kernel/collection.ts";
import { exactTime } from "../format/dates.ts";
import { Button } from "../ui/Button.tsx";
import { Banner } from "../ui/feedback/Banner.tsx";

interface OutdatedNoticeProps {
  /** null while the server can be asked. */
  readonly outdated: Outdated | null;
  readonly onRefresh: () => void;
  readonly isRefreshing: boolean;
}

/** Says how old a list is while the server cannot be reached, and why its buttons are disabled. */
export const OutdatedNotice = ({ outdated, onRefresh, isRefreshing }: OutdatedNoticeProps) =>
  outdated && (
    <Banner
      kind="warning"
      action={
        <Button size="small" onPress={onRefresh} isPending={isRefreshing}>
          Refresh
        </Button>
      }
    >
      {outdated.asOf !== null && `As of ${exactTime(outdated.asOf)}. `}
      {outdated.isOnline
        ? "The server failed to send the newest list. Refresh it to make changes."
        : "Changes need a connection."}
    </Banner>
  );
