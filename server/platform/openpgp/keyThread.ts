import { handleTasks } from "../workers/workerThread.ts";
import { runKeyTask } from "./keyTask.ts";

handleTasks(runKeyTask);
