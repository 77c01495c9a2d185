import { handleTasks } from "../workers/workerThread.ts";
import { runKeyTask } from "./keyThreads.ts";

handleTasks(runKeyTask);
