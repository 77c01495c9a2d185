/** Sentences by which servers say that a mail was not delivered; in lower case, with single blanks and straight quotes. */
const failures: readonly string[] = [
  // Exim, Sendmail, Postfix, qmail, Yahoo, Zoho, GMX, MXLogic and many others.
  "could not be delivered",
  "couldn't be delivered",
  "cannot be delivered",
  "can't be delivered",
  "can not be delivered",
  "could not deliver",
  "couldn't deliver",
  "cannot deliver",
  "can't deliver",
  "unable to deliver",
  "unable to be delivered",
  "not able to deliver",
  "not able to be delivered",
  "wasn't able to deliver",
  "wasn't delivered",
  "was not delivered",
  "were not delivered",
  "failed to deliver",
  "could not be sent",
  "couldn't be sent",
  "returned to sender",
  "returning message to sender",
  "permanent error",
  "permanent failure",
  "permanent fatal error",
  "permanent delivery error",
  "delivery failed",
  "delivery failure",
  "delivery has failed",
  "delivery problems",
  "delivery errors",
  "failed permanently",
  "following address failed",
  "following address(es) failed",
  "following addresses failed",
  "was undeliverable",
  "is undeliverable",
  "failure reasons",
  "does not like recipient",
  "i've given up",
  "did not reach the following recipient",
  "was aborted after",
  "recipients was rejected",
  "recipient was rejected",
  "recipients were rejected",
  "your message was rejected",
  "message has been rejected",
  // Amazon WorkMail, OpenSMTPD.
  "error occurred while trying to deliver",
  "error has occurred while attempting to deliver",
  "problem delivering your message",
  // Servers that write in the language of their users.
  "konnte nicht zugestellt werden",
  "konnten nicht zugestellt werden",
  "nicht zugestellt werden",
  "unzustellbar",
  "n'a pas pu être remis",
  "n'a pas été remis",
  "n'ont pas pu être remis",
  "n'a pas pu être distribué",
  "échec de la remise",
  "no se pudo entregar",
  "no se ha podido entregar",
  "no se ha entregado",
  "no pudo ser entregado",
  "não foi possível entregar",
  "não pôde ser entregue",
  "não foi entregue",
  "non è stato possibile consegnare",
  "non è stato possibile recapitare",
  "impossibile recapitare",
  "mancato recapito",
  "kon niet worden bezorgd",
  "kan niet worden bezorgd",
  "kon niet worden afgeleverd",
  "nie można dostarczyć",
  "nie mogła zostać dostarczona",
  "не может быть доставлено",
  "не было доставлено",
  "не удалось доставить",
  "не доставлено",
  "送信できませんでした",
  "送信に失敗",
  "配信できません",
  "配信に失敗",
  "配信不能",
  "配達できません",
  "届けることができません",
  "无法投递",
  "无法送达",
  "投递失败",
  "发送失败",
  "無法傳送",
  "無法送達",
];

/** Reasons that only a mail by a server's own author is trusted with. */
const reasons: readonly string[] = [
  "unknown user",
  "user unknown",
  "user not known",
  "no such user",
  "no such recipient",
  "invalid user",
  "invalid address",
  "unknown recipient",
  "unknown address",
  "unrouteable address",
  "address rejected",
  "mailbox full",
  "mailbox is full",
  "mailfolder is full",
  "mailbox unavailable",
  "mailbox not found",
  "over quota",
  "quota exceeded",
  "exceeded maximum hop count",
  "host unknown",
  "domain does not exist",
  "user does not exist",
  "account does not exist",
  "message blocked",
];

/** The words about a failure in the subject of a server's own mail. */
const failureSubjects: readonly string[] = [
  "fail",
  "undeliver",
  "returned mail",
  "return to sender",
  "returned to sender",
  "rejected",
  "mail system error",
  "delivery error",
  "notification: error",
  "unzustellbar",
  "non remis",
  "échec",
  "no entregado",
  "não entregue",
  "недоставлен",
  "エラー",
  "配信できません",
  "退信",
];

/** The words for a server that goes on trying. */
const delays: readonly string[] = [
  "has been delayed",
  "is delayed",
  "was delayed",
  "(delay)",
  "delivery delay",
  "delayed delivery",
  "delayed mail",
  "delivery is delayed",
  "notification: delay",
  "not yet been delivered",
  "not been delivered yet",
  "will be retried",
  "will keep trying",
  "will continue to try",
  "keep trying to deliver",
  "will try again",
  "delivery attempts will continue",
  "not need to resend",
  "don't need to resend",
  "no need to resend",
  "will continue trying",
  "is a warning only",
  "warning message only",
  "could not send message for past",
  "non-fatal errors",
  "zustellung verzögert",
  "verzögert sich",
];

const endings: readonly string[] = [
  "permanent",
  "has failed",
  "giving up",
  "given up",
  "no further",
  "will not be retried",
  "returning message to sender",
];

const namesOne = (words: readonly string[], text: string): boolean =>
  words.some((word) => text.includes(word));

/** Returns a text in the form in which words are looked for. */
export const toSearched = (text: string): string =>
  text
    .replaceAll(/[\s\u00a0]+/g, " ")
    .replaceAll(/[‘’]/g, "'")
    .toLowerCase();

/** True if a text (see `toSearched`) says that a mail was not delivered. */
export const saysFailure = (text: string): boolean => namesOne(failures, text);

/** True if a text gives a reason for a failure. */
export const givesReason = (text: string): boolean => namesOne(reasons, text);

/** True if a subject is that of a failure. */
export const isFailureSubject = (subject: string): boolean => namesOne(failureSubjects, subject);

/** True if a text says that the mail is tried again. */
export const saysDelay = (text: string): boolean =>
  namesOne(delays, text) && !namesOne(endings, text.replaceAll("not a permanent", ""));
