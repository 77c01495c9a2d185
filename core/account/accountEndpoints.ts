import { endpoint } from "../contract/endpoint.ts";
import { Account } from "./accountDetails.ts";

/** Who am I, what have I used, what may I use. */
export const getAccount = endpoint("GET", "/account", { answer: Account });
