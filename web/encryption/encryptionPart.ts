import type { App } from "../../core/app.ts";
import type { PartOf } from "../binding/useLatePart.ts";

/** Encryption, once its code is here. */
export type Encryption = PartOf<App["encryption"]>;

type State = Encryption["state$"]["value"];

/** What is so in one of the states of encryption: At<"made">. */
export type At<Place extends State["at"]> = Extract<State, { readonly at: Place }>;
