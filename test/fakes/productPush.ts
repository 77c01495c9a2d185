import type { NewPushDevice, PushDevice, PushDeviceEdit } from "../../core/push/pushEndpoints.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";
import { startsAt } from "./virtualClock.ts";

/** The key of the fake server, which browsers subscribe for. */
export const pushKey =
  "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";

export const createPushDevice = (id: string, more: Partial<PushDevice> = {}): PushDevice => ({
  id,
  mark: `mark of ${id}`,
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
  created: new Date(startsAt).toISOString(),
  lastSent: null,
  kinds: ["held", "security"],
  masks: [],
  quietHours: null,
  showsSender: false,
  ...more,
});

/** The devices of the product's user with push notifications, as the server keeps them. */
export interface ProductPush {
  readonly all: () => readonly PushDevice[];
  readonly set: (devices: readonly PushDevice[]) => void;
  /** The marks of endpoints, which a page computes: their hashes. */
  readonly marks: Map<string, string>;
}

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

/** Serves the devices; nothing is sent. */
export const servePush = (server: FakeHttp, authorised: Authorise): ProductPush => {
  let devices: readonly PushDevice[] = [];
  const marks = new Map<string, string>();
  const missing: Answer = { status: 404, json: { message: "This device gets no notifications any more." } };
  const withOne =
    (answer: (device: PushDevice, request: ReceivedRequest) => Answer) =>
    (request: ReceivedRequest): Answer => {
      const device = devices.find(({ id }) => id === request.params["id"]);
      return device ? answer(device, request) : missing;
    };
  server.on(
    "GET",
    "/account/push",
    authorised(() => ({ json: { key: pushKey, devices } })),
  );
  server.on(
    "POST",
    "/account/push",
    authorised(({ body }) => {
      const { endpoint, p256dh: _, auth: __, ...choices } = body as NewPushDevice;
      const mark = marks.get(endpoint) ?? `mark of ${endpoint}`;
      const others = devices.filter((one) => one.mark !== mark);
      const device = createPushDevice(`device-${others.length + 1}`, { mark, ...choices });
      devices = [device, ...others];
      return { status: 201, json: device };
    }),
  );
  server.on(
    "PATCH",
    "/account/push/:id",
    authorised(
      withOne((device, { body }) => {
        const changed = { ...device, ...(body as PushDeviceEdit) };
        devices = devices.map((one) => (one.id === device.id ? changed : one));
        return { json: changed };
      }),
    ),
  );
  server.on(
    "DELETE",
    "/account/push/:id",
    authorised(
      withOne(({ id }) => {
        devices = devices.filter((one) => one.id !== id);
        return { json: {} };
      }),
    ),
  );
  server.on("POST", "/account/push/:id/test", authorised(withOne(() => ({ json: {} }))));
  server.on(
    "PUT",
    "/account/push/here",
    authorised(({ body }) => {
      const { mark } = body as { readonly mark: string };
      return devices.some((one) => one.mark === mark) ? { json: {} } : missing;
    }),
  );
  return {
    all: () => devices,
    set: (changed) => {
      devices = changed;
    },
    marks,
  };
};
