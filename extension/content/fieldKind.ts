/** What a field for text says of itself, in lower case without accents, and bounded in length. */
export interface FieldFacts {
  readonly type: string;
  /** The tokens of its autocomplete attribute. */
  readonly autocomplete: readonly string[];
  /** Its name, id, placeholder and labels, one a line. */
  readonly words: string;
  /** -1 without a limit. */
  readonly maxLength: number;
}

/** A field for an email address, for a one-time code, or for something else. */
export type FieldKind = "email" | "code" | null;

/** The words for an email address in the languages of forms. */
const emailWords =
  /e-?mail|\bmail\b|mail[ _-]?(?:address|adress|id)|user[ _-]?mail|courriel|correo|posta elettronica|e-?post|sahkoposti|почт|эл\.? ?адрес|пошт|メール|邮箱|郵箱|邮件|郵件|電郵|电邮|이메일|전자우편|poczt|e-?posta|ईमेल|بريد|דוא|אימייל|ηλεκτρονικ|อีเมล|thu đien tu/;

/** The words of fields that are no address of the user, though they may speak of one. */
const otherEmailWords =
  /search|\bsuche|\bquery|filter|subject|betreff|coupon|friend|\binvit|einlad|recipient|empfanger|destinatari|\bb?cc\b|[_-]to\b|password|passwor[td]|passwd/;

/** The words for a one-time code. */
const codeWords =
  /one[ _-]?time|\botp\b|otp[ _-]?code|\b2fa\b|(?:verif\w*|secur\w*|confirm\w*|auth\w*|access|login|email)[ _-]?(?:code|pin)\b|passcode|einmal|(?:bestatigungs|sicherheits|verifizierungs|anmelde|prufungs)[ _-]?code|codigo|code (?:de|a|d)\b|codice|verificatiecode|beveiligingscode|bekreftelseskode|bekraftelsekod|verifieringskod|engangskode|vahvistuskoodi|kod weryfik|kod potwierdz|dogrulama|onay kodu|код (?:подтв|пров)|проверочн|одноразов|код|認証コード|確認コード|验证码|驗證碼|校验码|인증 ?(?:번호|코드)|رمز|קוד|κωδικ|ma xac|รหัสยืนยัน|सत्यापन|kod overeni|overovaci/;

/** The words of codes that come by no mail. */
const otherCodeWords =
  /\bzip|post(?:al)?[ _-]?code|postcode|postleit|\bplz\b|codigo postal|code postal|codice postale|promo|coupon|gutschein|voucher|discount|rabatt|gift|country|area[ _-]?code|dial|\bcv[cv]\b|\bcsc\b|card|karte|bank|\bsort|iban|\bbic\b|invit|referral|authenticator|backup|recovery|wiederherstell|codice fiscale|fiscal|qr|source|html|почтов|индекс/;

const textTypes = ["text", "email", "tel", "number", "password"];

/** The tokens that say nothing of what a field is for. */
const neutral = /^(?:on|off|nope|false|none|username|webauthn|section-.*|shipping|billing|home|work)$/;

const isEmail = ({ type, autocomplete, words }: FieldFacts): boolean => {
  if (autocomplete.includes("email")) return type === "text" || type === "email";
  if (autocomplete.some((token) => !neutral.test(token))) return false;
  if (otherEmailWords.test(words)) return false;
  return type === "email" || (type === "text" && emailWords.test(words));
};

const isCode = ({ type, autocomplete, words, maxLength }: FieldFacts): boolean => {
  if (autocomplete.includes("one-time-code")) return true;
  if (type === "email" || autocomplete.some((token) => !neutral.test(token))) return false;
  // A code has few characters; one box for each digit has one.
  if (maxLength > 12 || (type === "password" && !/\botp|one[ _-]?time/.test(words))) return false;
  return codeWords.test(words) && !otherCodeWords.test(words);
};

/** Returns what a field is for, by what it says of itself. */
export const kindOfField = (facts: FieldFacts): FieldKind => {
  if (!textTypes.includes(facts.type)) return null;
  if (isCode(facts)) return "code";
  return isEmail(facts) ? "email" : null;
};
