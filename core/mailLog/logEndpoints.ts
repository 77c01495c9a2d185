import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { listPage } from "../api/listPage.ts";
import { LogDirection, LogMode, LogPage, LogResult, LogSettings } from "./logEntry.ts";

/**
 * Lists logged mails, newest first: of one mask, in one direction, with one result, after the entry with the id `before`, at most `limit` (50
 * without one, and never more than 200). `q` finds a text in what is not encrypted.
 */
export const listLog = endpoint("GET", "/log", {
  tokens: "log:read",
  params: t.partial({
    maskId: t.string,
    direction: LogDirection,
    result: LogResult,
    before: t.string,
    limit: listPage.limit,
    q: t.string,
  }),
  answer: LogPage,
});

/** Turns the log on, off, or changes what it keeps of senders. Switching it off deletes all entries. */
export const putLogSettings = endpoint("PUT", "/log/settings", {
  body: t.type({ keep: LogMode }),
  answer: LogSettings,
});

/** Deletes all entries; the log stays on. */
export const deleteLog = endpoint("DELETE", "/log");
