import { openBackground } from "../ports.ts";
import { answerMessage } from "./messages.ts";

const { api, ports } = openBackground();

api.runtime.onMessage.addListener((message, sender, respond) => {
  const answer = answerMessage({ ownId: api.runtime.id, ports }, message, sender);
  if (answer === undefined) return false;
  answer.then(respond, () => respond(undefined));
  return true;
});
