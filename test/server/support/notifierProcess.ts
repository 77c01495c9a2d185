// A separate process on the same store: stores a notification for each input line (user id, tab, message) and prints
// the id of the notification.
import { createInterface } from "node:readline";
import { openDatabase } from "../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { notify } from "./notify.ts";

const database = await openDatabase(sqliteEngine(process.argv[2] ?? ""));
process.stdout.write("ready\n");
for await (const line of createInterface(process.stdin)) {
  const [userId = "", message = ""] = line.split("\t");
  process.stdout.write(`${await notify(database, userId, message, { priority: "high" })}\n`);
}
await database.close();
