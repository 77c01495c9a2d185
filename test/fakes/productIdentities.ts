import type { Identity } from "../../core/session/identityEndpoints.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";

/** The identities at a provider that the user of the fake product logs in with. */
export interface ProductIdentities {
  readonly all: () => readonly Identity[];
  readonly set: (identities: readonly Identity[]) => void;
}

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

/** Answers what lists and removes identities; there are none at first. */
export const serveIdentities = (server: FakeHttp, authorised: Authorise): ProductIdentities => {
  let identities: readonly Identity[] = [];
  server.on(
    "GET",
    "/account/identities",
    authorised(() => ({ json: { identities } })),
  );
  server.on(
    "DELETE",
    "/account/identities/:id",
    authorised(({ params }) => {
      identities = identities.filter(({ id }) => id !== params["id"]);
      return { json: {} };
    }),
  );
  return {
    all: () => identities,
    set: (all) => {
      identities = all;
    },
  };
};
