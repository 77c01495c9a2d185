import { isLeft, right } from "fp-ts/lib/Either.js";
import { EMPTY } from "rxjs";
import { systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { createAccountData } from "../../../core/account/accountData.ts";
import { createImports } from "../../../core/account/imports.ts";
import { createCall } from "../../../core/api/call.ts";
import { createState } from "../../../core/kernel/state.ts";
import { listMasks } from "../../../core/masks/maskEndpoints.ts";
import { type Account, getAccount } from "../../../core/session/user.ts";
import type { Client } from "./client.ts";

/** The core's use cases over the connection of a signed-in user. */
export const dataOf = async (user: Client) => {
  const call = createCall((request) => async () => {
    const {
      status,
      headers,
      text: body,
    } = await user.call(request.method, request.url, {
      ...(request.body !== undefined && { raw: request.body }),
    });
    return right({ status, headers: Object.fromEntries(headers), body });
  });
  const read = await call(getAccount)()();
  const listed = await call(listMasks)({ params: {} })();
  if (isLeft(read) || isLeft(listed)) throw new Error("no account");
  const imports = createImports({
    call,
    clock: systemClock,
    configuration: {},
    masks: { view$: createState({ all: listed.right.masks }), refresh: () => async () => right(undefined) },
    account: {
      account$: createState<Account | null>(read.right),
      refresh: () => async () => right(undefined),
    },
    user$: EMPTY,
  });
  const data = createAccountData({
    call,
    configuration: { brand: "Bauta" },
    toast: () => undefined,
    logOut: () => async () => undefined,
  });
  const content = async (way: "exportAll" | "exportMasks"): Promise<string> => {
    const file = await data[way]()();
    if (isLeft(file)) throw new Error(file.left.message);
    return file.right.content;
  };
  return { imports, content };
};
