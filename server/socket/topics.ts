import type { Topic } from "../../core/realtime/clientMessages.ts";
import { findMask } from "../masks/maskQueries.ts";
import type { Db } from "../store/database.ts";
import { isId } from "../store/id.ts";
import { maxTopicsPerSocket } from "./messages.ts";

/**
 * The resources that can be followed as a whole, and the resources of a mask, which can also be followed by
 * the id of the mask.
 */
const userResources = new Set(["masks", "account", "keys", "notifications", "insights", "content-access"]);
const maskResources = new Set(["masks", "mask", "rules"]);

/** Returns whether the resource exists and belongs to the user. */
export const isOwnResource = async (
  db: Db,
  userId: string,
  { resource, resourceId }: { readonly resource: string; readonly resourceId?: string | undefined },
): Promise<boolean> => {
  if (resourceId === undefined) return userResources.has(resource) || maskResources.has(resource);
  return (
    maskResources.has(resource) && isId(resourceId) && (await findMask(db, userId, resourceId)) !== undefined
  );
};

/** Returns whether a user may subscribe to a topic. */
export const canSubscribe = async (db: Db, userId: string, topic: Topic): Promise<boolean> =>
  "channel" in topic || isOwnResource(db, userId, topic);

/** The topics of one socket; it always includes masks. */
export interface Topics {
  /** Adds a topic; returns false when the socket has the maximum number of topics. */
  readonly add: (topic: Topic) => boolean;
  readonly remove: (topic: Topic) => void;
  readonly has: (resource: string, resourceId: string | null) => boolean;
}

const topicName = (topic: Topic): string => {
  if ("channel" in topic) return topic.channel;
  return topic.resourceId === undefined ? topic.resource : `${topic.resource} ${topic.resourceId}`;
};

/** Returns the topic names that include a change; a change of one mask also belongs to "mask" and its id. */
const topicNames = (resource: string, resourceId: string | null): readonly string[] => {
  if (resourceId === null) return [resource];
  const item = `${resource} ${resourceId}`;
  return resource === "masks" ? [resource, item, "mask", `mask ${resourceId}`] : [resource, item];
};

export const createTopics = (): Topics => {
  const followed = new Set(["masks"]);
  return {
    add: (topic) => {
      if (followed.size >= maxTopicsPerSocket && !followed.has(topicName(topic))) return false;
      followed.add(topicName(topic));
      return true;
    },
    remove: (topic) => void followed.delete(topicName(topic)),
    has: (resource, resourceId) => topicNames(resource, resourceId).some((name) => followed.has(name)),
  };
};
