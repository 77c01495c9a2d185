import { findCodeWords, foldText } from "./codeWords.ts";
import type { MailLink } from "./readableMail.ts";

/** The beginnings of words that confirm, verify, activate or reset. */
const confirming =
  "confirm |confirm$|confirmer|confirmez|confirmar|confirma |confirma$|confirme|verify|verifier|verifiez|verificar|verifica |" +
  "verifique|verifieren|verifiera|verifiser|verificer|verifizieren|activate|activer|activez|activar|activa |ativar|ative|attiva|" +
  "activeren|activeer|aktivieren|aktiviere|aktywuj|aktivera|aktiver|aktiviere|aktivovat|aktivujte|aktivoi|aktivalas|activeaza|" +
  "reset |reset$|reinitialiser|restablecer|reimposta|redefinir|zurucksetzen|zresetuj|aterstall|nulstil|tilbakestill|nollaa|obnovit|" +
  "visszaallit|reseteaza|sifirla|bestatige|freischalten|conferma |conferma$|bevestig|bevestigen|potwierdz |potwierdz$|bekrafta|" +
  "bekræft |bekræft$|bekreft |bekreft$|vahvista|potvrdit|potvrdte|overit|megerosit|erositse|ellenoriz|dogrula|onayla|etkinlestir|" +
  "επιβεβαιω|επιβεβαιωση|ενεργοποι|επαληθευ|επαναφορα|подтверд|активир|сбросить|підтверд|активу|скинути|" +
  "確認する|確認して|認証する|有効化|有効に|再設定|検証する|验证|驗證|激活|确认|重置|인증|활성화|확인하|재설정|" +
  "تاكيد|لتاكيد|اكد |اكد$|تفعيل|لتفعيل|فعل |فعل$|التحقق|تحقق |اعادة تعيين|אימות|לאימות|אישור |אישור$|אשר |אשר$|אשרו|הפעל|להפעלת|איפוס|לאיפוס|" +
  "ยืนยัน|เปิดใช้งาน|รีเซ็ต|पुष्टि |पुष्टि$|सत्यापित|सक्रिय|रीसेट|xac nhan|xac minh|xac thuc|kich hoat|dat lai";

const literals = confirming.split("|").map((word) => ({
  text: foldText(word.replace(/[ $]$/, "").normalize("NFKC")),
  isWhole: /[ $]$/.test(word),
}));

const isLetter = /\p{L}/u;

/** True if words ask to confirm, verify, activate or reset, and not to look at an order that is confirmed. */
const isConfirming = (words: string): boolean => {
  const folded = foldText(words.slice(0, 300));
  const asks = literals.some(({ text, isWhole }) => {
    for (let at = folded.indexOf(text); at !== -1; at = folded.indexOf(text, at + 1)) {
      const isIdeographic = text.charCodeAt(0) > 0x2e80;
      if (!isIdeographic && isLetter.test(folded[at - 1] ?? "")) continue;
      if (isWhole && isLetter.test(folded[at + text.length] ?? "")) continue;
      return true;
    }
    return false;
  });
  return (
    asks &&
    !findCodeWords(folded).some(({ kind }) => kind === "other" || kind === "booking" || kind === "promo")
  );
};

/** Returns the address of the one link whose words confirm something; null when there is none or several. */
export const confirmationLink = (links: readonly MailLink[]): string | null => {
  const urls = new Set(links.flatMap(({ url, words }) => (isConfirming(words) ? [url] : [])));
  const [only] = urls;
  return urls.size === 1 && only !== undefined ? only : null;
};
