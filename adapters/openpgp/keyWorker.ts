import { expose } from "comlink";
import { createIndexedKeyRecords } from "./keyRecords.ts";
import { createKeyTasks } from "./keyTasks.ts";

// The worker keeps private keys and decrypted bytes away from the page's scripts. It has the name of its database.
expose(createKeyTasks(createIndexedKeyRecords(self.name)));
