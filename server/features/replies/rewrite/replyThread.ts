import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import { readHeaderBlock } from "../../../mime/headerBlock.ts";
import { handleTasks } from "../../../platform/workers/workerThread.ts";
import { createThreadIds } from "../threadIds.ts";
import { readReplyParts } from "./replyParts.ts";
import { orProblem, type ReplyTask, type ReplyTaskResult, reverseIn } from "./replyWriter.ts";
import { writeReply } from "./writeReply.ts";

handleTasks(async (task: ReplyTask): Promise<ReplyTaskResult> => {
  const { maskDomain, threadKey, userId, details } = task;
  const content = Buffer.from(task.content.buffer, task.content.byteOffset, task.content.byteLength);
  const header = readHeaderBlock(content);
  if (!header) return { problem: "unreadable" };
  const mail = { content, header };
  const result = orProblem((): ReplyTaskResult => {
    const part = readReplyParts(mail);
    if (!details) return { reverse: reverseIn(part, maskDomain) };
    const ids = createThreadIds(threadKey, maskDomain)(userId);
    const { head, pieces, ...flags } = writeReply(mail, part, { ...details, ids, random: cryptoRandom });
    return { written: { head, pieces: [Buffer.concat(pieces)], ...flags } };
  });
  return typeof result === "string" ? { problem: result } : result;
});
