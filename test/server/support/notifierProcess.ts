// Another process on the same store, as the relay may be one: writes a notification for each line it reads, "user id,
// tab, message", and answers with the id it was given.
import { createInterface } from "node:readline";
import { openDatabase } from "../../../server/store/database.ts";
import { sqliteEngine } from "../../../server/store/sqlite.ts";
import { notify } from "./notify.ts";

const database = await openDatabase(sqliteEngine(process.argv[2] ?? ""));
process.stdout.write("ready\n");
for await (const line of createInterface(process.stdin)) {
  const [userId = "", message = ""] = line.split("\t");
  process.stdout.write(`${await notify(database, userId, message, { priority: "high" })}\n`);
}
await database.close();
