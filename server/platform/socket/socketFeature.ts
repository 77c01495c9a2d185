import type { ServerMessage } from "../../../core/realtime/messages.ts";
import type { TokenGrant } from "../store/authContext.ts";
import type { ChangeEvent } from "../store/events.ts";

/** A message about a change, built only when a socket follows it. */
export interface Announcement {
  /** The resources under which sockets follow the change. */
  readonly resources: readonly string[];
  /** null when several things have changed. */
  readonly resourceId: string | null;
  /** The client that got the change in its answer; null when all clients need the message. */
  readonly exceptClientId: string | null;
  /** Tells if an API token with the scope of the resource is told of the change; without it each is. */
  readonly mayBeTold?: (token: TokenGrant) => Promise<boolean>;
  /** Resolves to undefined when there is nothing to send. */
  readonly build: () => Promise<ServerMessage | undefined>;
}

/** The part that a feature adds to the socket: resources to follow and messages about their changes. */
export interface SocketFeature {
  /** The resources that sockets can follow as a whole. */
  readonly resources: readonly string[];
  /** Returns whether the user has the item; without it the resources can only be followed as a whole. */
  readonly hasItem?: (userId: string, id: string) => Promise<boolean>;
  /** Names the state of the first resource as the API does; a client that has it need not ask for it. */
  readonly version?: (userId: string) => Promise<string>;
  /** Announces a change; undefined for a change that the feature does not announce. */
  readonly announce: (event: ChangeEvent) => Announcement | undefined;
}

/** Larger entities are omitted from their message; clients fetch them instead. */
const maxEntityLength = 65_536;

/** Returns the message about a changed resource (RT13); `entity` is as the API answers it, or null when deleted. */
export const dataUpdate = (
  { resource, resourceId, action }: Pick<ChangeEvent, "resource" | "resourceId" | "action">,
  entity?: unknown,
): ServerMessage => ({
  type: "data_update",
  data: {
    resource,
    action,
    ...(resourceId === null ? {} : { resourceId }),
    ...(entity === undefined || JSON.stringify(entity).length > maxEntityLength ? {} : { entity }),
  },
});

/** Creates a feature whose changes are announced to every socket that follows the resource. */
export const createResourceFeature = (
  resource: string,
  readEntity?: (userId: string) => Promise<unknown>,
): SocketFeature => ({
  resources: [resource],
  announce: (event) =>
    event.resource !== resource
      ? undefined
      : {
          resources: [resource],
          resourceId: event.resourceId,
          exceptClientId: null,
          build: async () => dataUpdate(event, await readEntity?.(event.userId)),
        },
});

/** A resource, or one item of it. */
export interface ResourceName {
  readonly resource: string;
  readonly resourceId?: string | undefined;
}

/** Creates the check whether a resource or an item of it exists and belongs to the user. */
export const createOwnershipCheck =
  (features: readonly SocketFeature[]) =>
  async (userId: string, { resource, resourceId }: ResourceName): Promise<boolean> => {
    const feature = features.find(({ resources }) => resources.includes(resource));
    if (!feature || resourceId === undefined) return feature !== undefined;
    return (await feature.hasItem?.(userId, resourceId)) ?? false;
  };
