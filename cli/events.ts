import { concatMap, from, type Observable } from "rxjs";
import { openFetchTextStream } from "../adapters/system/fetchTextStream.ts";
import type { Ports } from "../core/ports/ports.ts";
import { type FollowedEvent, type FollowedServer, followEvents } from "../core/realtime/followEvents.ts";

/** The message of a stream of changes: masks may have changed, the connection is lost, or the server has no such stream. */
export type ChangeMessage = "changed" | "lost" | "unavailable";

const changesOf = (event: FollowedEvent): readonly ChangeMessage[] => {
  switch (event.kind) {
    case "began":
      return ["changed"];
    case "lost":
      return ["lost"];
    case "refused":
      // A refused token is noticed by the reading of the list.
      return [event.status === 401 ? "changed" : "unavailable"];
    case "message": {
      const { message } = event;
      const isOfMasks =
        message.type === "reset" ||
        (message.type === "data_update" && ["masks", "rules"].includes(message.data.resource));
      return isOfMasks ? ["changed"] : [];
    }
  }
};

/** Follows the changes of masks with an API token, until unsubscribed. */
export const followChanges = (
  { clock, random }: Pick<Ports, "clock" | "random">,
  followed: FollowedServer,
): Observable<ChangeMessage> =>
  followEvents({ openTextStream: openFetchTextStream, clock, random }, followed).pipe(
    concatMap((event) => from(changesOf(event))),
  );
