import { answerTasks } from "../workers/answerTasks.ts";
import { sealMail } from "./sealedMail.ts";

answerTasks(sealMail);
