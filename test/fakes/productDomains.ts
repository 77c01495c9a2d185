import type { Domain, DomainChange } from "../../core/domains/domain.ts";
import { named } from "../support/domainNames.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

/** Returns a domain that waits for its proof, which has the missing record of the proof alone. */
const createDomain = (name: string, change: Partial<Domain> = {}): Domain => ({
  id: name,
  kind: "own",
  name: named(name),
  shownName: name,
  state: "waiting",
  records: [
    {
      purpose: "proof",
      type: "TXT",
      name,
      value: "bauta-verification=1",
      state: "problem",
      is: "missing",
    },
  ],
  checkedAt: null,
  lapsedSince: null,
  catchAll: "off",
  patterns: [],
  approveFirst: false,
  destination: null,
  masks: 0,
  ...change,
});

/** The domains of the fake server. */
export interface FakeDomains {
  /** Makes the next check find the proof of a domain. */
  readonly prove: (name: string) => void;
  /** Changes a domain without telling the app. */
  readonly edit: (name: string, change: Partial<Domain>) => void;
}

/** Serves the domains of a user; each has its name as id. */
export const serveDomains = (server: FakeHttp, authorised: Authorise): FakeDomains => {
  let domains: readonly Domain[] = [];
  let proven: readonly string[] = [];
  const change = (id: string, edit: (domain: Domain) => Domain): Answer => {
    domains = domains.map((one) => (one.id === id ? edit(one) : one));
    const json = domains.find((one) => one.id === id);
    return json ? { json } : { status: 404, json: { message: "This domain is not in your list any more" } };
  };
  server.on(
    "GET",
    "/domains",
    authorised(() => ({
      json: {
        domains,
        ownLeft: 10,
        subdomainsLeft: domains.some(({ kind }) => kind === "sub") ? 0 : 1,
        under: "masks.example",
      },
    })),
  );
  server.on(
    "POST",
    "/domains",
    authorised(({ body }) => {
      const { name, label } = body as { name?: string; label?: string };
      if (name === "co.uk") {
        const message = "co.uk is shared by many people. Enter the domain that is yours.";
        return { status: 400, json: { message, errors: [{ field: "name", message }] } };
      }
      const added =
        name === undefined
          ? createDomain(`${label}.masks.example`, { kind: "sub", state: "ready", records: [] })
          : createDomain(name);
      domains = [...domains, added];
      return { status: 201, json: added };
    }),
  );
  server.on(
    "PATCH",
    "/domains/:id",
    authorised(({ params, body }) =>
      change(params["id"] ?? "", (domain) => ({ ...domain, ...(body as DomainChange) })),
    ),
  );
  server.on(
    "POST",
    "/domains/:id/check",
    authorised(({ params }) =>
      change(params["id"] ?? "", (domain) =>
        proven.includes(domain.name)
          ? {
              ...domain,
              state: "ready",
              records: domain.records.map((record) => ({ ...record, state: "ok", is: "found" })),
            }
          : domain,
      ),
    ),
  );
  server.on(
    "DELETE",
    "/domains/:id",
    authorised(({ params }) => {
      domains = domains.filter(({ id }) => id !== params["id"]);
      return { json: {} };
    }),
  );
  return {
    prove: (name) => {
      proven = [...proven, name];
    },
    edit: (name, edited) => {
      change(name, (domain) => ({ ...domain, ...edited }));
    },
  };
};
