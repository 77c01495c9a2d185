import type { Topic } from "../../../core/realtime/clientMessages.ts";
import { maxTopicsPerSocket } from "./socketMessages.ts";

/** The topics that one socket follows. */
export interface Topics {
  /** Adds a topic; false when the socket has the maximum number of topics. */
  readonly add: (topic: Topic) => boolean;
  readonly remove: (topic: Topic) => void;
  /** True if the socket follows one of the resources, or this item of one. */
  readonly includes: (resources: readonly string[], resourceId: string | null) => boolean;
}

const topicName = (topic: Topic): string => {
  if ("channel" in topic) return topic.channel;
  return topic.resourceId === undefined ? topic.resource : `${topic.resource} ${topic.resourceId}`;
};

/** Creates the topics of a new socket, which follows nothing until it subscribes. */
export const createTopics = (): Topics => {
  const followed = new Set<string>();
  return {
    add: (topic) => {
      if (followed.size >= maxTopicsPerSocket && !followed.has(topicName(topic))) return false;
      followed.add(topicName(topic));
      return true;
    },
    remove: (topic) => void followed.delete(topicName(topic)),
    includes: (resources, resourceId) =>
      resources.some(
        (resource) =>
          followed.has(resource) || (resourceId !== null && followed.has(`${resource} ${resourceId}`)),
      ),
  };
};
