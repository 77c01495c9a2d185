import type { Correspondent } from "../../core/correspondents/correspondentEndpoints.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";
import { startsAt } from "./virtualClock.ts";

const created = new Date(startsAt).toISOString();

export const createCorrespondent = (name: string, more: Partial<Correspondent> = {}): Correspondent => ({
  id: `id-${name}`,
  name: "",
  address: `${name}@shop.example`,
  reverseAddress: `re-${name.padEnd(32, "a")}@masks.example`,
  created,
  lastReceived: null,
  lastSent: null,
  blocked: false,
  ...more,
});

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

/** Serves the correspondents of one mask, for any mask. */
export const serveCorrespondents = (server: FakeHttp, authorised: Authorise): void => {
  let correspondents: readonly Correspondent[] = [];
  server.on(
    "GET",
    "/masks/:id/correspondents",
    authorised(() => ({ json: { correspondents, more: false } })),
  );
  server.on(
    "POST",
    "/masks/:id/correspondents",
    authorised(({ body }) => {
      const { address } = body as { address: string };
      if (!address.includes("@")) {
        const message = "Please enter a valid email address";
        return { status: 400, json: { message, errors: [{ field: "address", message }] } };
      }
      const added = createCorrespondent(address.slice(0, address.indexOf("@")), { address });
      correspondents = [added, ...correspondents.filter(({ id }) => id !== added.id)];
      return { status: 201, json: added };
    }),
  );
  const block = (sender: string, isBlocked: boolean): void => {
    correspondents = correspondents.map(({ blockedDomain, ...one }) => {
      if (sender === one.address)
        return { ...one, ...(blockedDomain !== undefined && { blockedDomain }), blocked: isBlocked };
      if (one.address.endsWith(`@${sender}`) && isBlocked) return { ...one, blockedDomain: sender };
      return { ...one, ...(blockedDomain !== undefined && blockedDomain !== sender && { blockedDomain }) };
    });
  };
  server.on(
    "PUT",
    "/masks/:id/senders/:sender",
    authorised(({ params }) => {
      block(params["sender"] ?? "", true);
      return { json: { before: null } };
    }),
  );
  server.on(
    "DELETE",
    "/masks/:id/senders/:sender",
    authorised(({ params }) => {
      block(params["sender"] ?? "", false);
      return { json: {} };
    }),
  );
  server.on(
    "DELETE",
    "/masks/:id/correspondents/:correspondent",
    authorised(({ params }) => {
      correspondents = correspondents.filter(({ id }) => id !== params["correspondent"]);
      return { json: {} };
    }),
  );
};
