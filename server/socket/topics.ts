import type { Topic } from "../../core/realtime/clientMessages.ts";
import type { Db } from "../store/database.ts";
import { isId } from "../store/id.ts";
import { maskOf } from "../store/masks.ts";
import { topicsPerSocket } from "./socketLimits.ts";

/** Resources that are a user's as a whole, and those of which each thing has an id. */
const wholes = new Set(["masks", "account", "keys", "notifications", "insights", "content-access"]);
const ofMask = new Set(["masks", "mask", "rules"]);

/** Whether there is such a thing, and it is this user's. */
export const isOwn = async (
  db: Db,
  userId: string,
  { resource, resourceId }: { readonly resource: string; readonly resourceId?: string | undefined },
): Promise<boolean> => {
  if (resourceId === undefined) return wholes.has(resource) || ofMask.has(resource);
  return ofMask.has(resource) && isId(resourceId) && (await maskOf(db, userId, resourceId)) !== undefined;
};

/** Whether a user may hear of a topic. */
export const mayFollow = async (db: Db, userId: string, topic: Topic): Promise<boolean> =>
  "channel" in topic || isOwn(db, userId, topic);

/** What one socket wants to hear of: masks from the start, whatever else it asks for. */
export interface Topics {
  /** False when it follows as many as one may. */
  readonly add: (topic: Topic) => boolean;
  readonly remove: (topic: Topic) => void;
  readonly has: (resource: string, resourceId: string | null) => boolean;
}

const nameOf = (topic: Topic): string => {
  if ("channel" in topic) return topic.channel;
  return topic.resourceId === undefined ? topic.resource : `${topic.resource} ${topic.resourceId}`;
};

/** The names under which a change may be followed: a change of one mask also under "mask" and its id. */
const namesOf = (resource: string, resourceId: string | null): readonly string[] => {
  if (resourceId === null) return [resource];
  const one = `${resource} ${resourceId}`;
  return resource === "masks" ? [resource, one, "mask", `mask ${resourceId}`] : [resource, one];
};

export const makeTopics = (): Topics => {
  const followed = new Set(["masks"]);
  return {
    add: (topic) => {
      if (followed.size >= topicsPerSocket && !followed.has(nameOf(topic))) return false;
      followed.add(nameOf(topic));
      return true;
    },
    remove: (topic) => void followed.delete(nameOf(topic)),
    has: (resource, resourceId) => namesOf(resource, resourceId).some((name) => followed.has(name)),
  };
};
