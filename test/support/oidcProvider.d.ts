// The part of npm's oidc-provider that the tests use; it comes without types.
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export interface Interaction {
    readonly prompt: {
      readonly name: string;
      readonly details: { readonly missingOIDCScope?: readonly string[] };
    };
    readonly params: Readonly<Record<string, unknown>>;
    readonly session?: { readonly accountId: string };
  }

  export class Grant {
    constructor(of: { readonly accountId: string; readonly clientId: string });
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    readonly Grant: typeof Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: unknown,
      options?: { readonly mergeWithLastSubmission: boolean },
    ): Promise<void>;
    on(event: string, listener: (...args: readonly unknown[]) => void): this;
  }
}
