import { handleTasks } from "../../../platform/workers/workerThread.ts";
import { type ReadReport, readReport } from "./readReport.ts";

handleTasks(async (mail: Uint8Array): Promise<ReadReport> => readReport(Buffer.from(mail)));
