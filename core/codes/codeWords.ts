/**
 * The words around codes, by what a number beside them is. Spelled without accents and in lower case; a hyphen is a blank. A word
 * matches at the beginning of a word and may go on there ("verif" is in "verification"); one after "~" also matches within a word
 * ("~code" is in "Bestätigungscode"), and one before "$" matches a whole word only.
 */
const codeWords = {
  /** Nouns that can name a code, and many other things. */
  noun: "~code|codigo|codice|cod$|codul|~kod|~kode|~koodi|κωδικ|код$|кода$|кодом$|коду$|pin$|clave|~رمز|~كود|~קוד|รหัส|โค้ด|कोड|ma cua ban|コード|~码|~碼|코드",
  /** Nouns that name nothing but a code. */
  strong:
    "otp$|tan$|passcode|one time pass|one time pin|einmalpass|einmalkenn|mtan$|mot de passe a usage unique|contrasena de un solo uso|" +
    "contrasena de un solo|password monouso|password temporanea monouso|senha de uso unico|palavra passe de uso unico|" +
    "eenmalig wachtwoord|eenmalige wachtwoord|haslo jednorazowe|jednorazowe haslo|engangslosenord|engangspassord|engangsadgangskode|" +
    "engangskodeord|kertakayttosalasana|jednorazove heslo|egyszer hasznalatos jelsz|parola de unica|parola unica|" +
    "tek kullanimlik sifre|tek kullanimlik parola|κωδικος μιας χρησης|κωδικο μιας χρησης|одноразовый пароль|одноразовый пин|" +
    "одноразовии пароль|ワンタイムパスワード|認証番号|確認番号|暗証番号|一次性密码|一次性密碼|动态密码|動態密碼|动态口令|" +
    "일회용 비밀번호|일회용비밀번호|인증번호|인증 번호|확인번호|확인 번호|보안번호|보안 번호|재설정 번호|자리 번호|" +
    "كلمة مرور لمرة واحدة|كلمة المرور لمرة واحدة|~رقم التحقق|~رقم التاكيد|~رقم سري|~الرقم السري|סיסמה חד פעמית|הסיסמה החד פעמית|" +
    "รหัสยืนยัน|รหัสผ่านใช้ครั้งเดียว|รหัสผ่านแบบใช้ครั้งเดียว|รหัสใช้ครั้งเดียว|รหัสแบบใช้ครั้งเดียว|ओटीपी|वन टाइम पासवर्ड|" +
    "ma xac minh|ma xac nhan|ma xac thuc|ma bao mat|ma dang nhap|ma dung mot lan|ma kich hoat|ma khoi phuc|mat khau dung mot lan|mat khau mot lan",
  /** Words of a log-in, a confirmation or its end, which tell a code from other things with that noun. */
  intent:
    "verif|confirm|authenti|sign in|signing in|sign on|signin|sign up|signup|log in|logging in|login|~security|one time|single use|" +
    "two factor|two step|2 step|2fa$|mfa$|multi factor|reset|identity|expires|valid for|activat|access code|recovery|passwordless|" +
    "~bestatig|~sicherheit|anmelde|anmeldung|einmal|einlogg|zugang|freischalt|aktivier|zuruckzusetz|zurucksetz|identitat|gultig|" +
    "zwei faktor|lauft|connexion|connecter|securite|usage unique|acces$|activ|reinitialis|valable|identite|expire|inscription|" +
    "acceso|inicio de sesion|iniciar sesion|inicia sesion|seguridad|un solo uso|unico uso|autentic|restablec|valido|caduca|registro|" +
    "accesso|accedere|accedi$|sicurezza|monouso|reimposta|attiva|scade|registrazione|acesso|entrar$|iniciar sessao|seguranca|" +
    "uso unico|ativa|redefinir|registo|cadastro|~inlog|beveilig|eenmalig|bevestig|toegang|aanmeld|geldig|verloopt|registratie|" +
    "weryfik|logowan|zalogow|bezpiecz|jednoraz|potwierdz|uwierzyt|autoryzacyjn|dostepu|aktyw|zreset|wazny|wygasa|rejestrac|" +
    "logga in|~sakerhet|engang|bekraft|autentis|atkomst|aterstall|galler|gar ut|bekræft|logge ind|log ind|logge inn|logg inn|" +
    "~innlogg|sikkerhed|sikkerhet|adgangs|nulstil|gyldig|gælder|udlober|bekreft|tilbakestill|utloper|vahvist|~kirjaut|turva|" +
    "kertakaytto|tunnist|todenn|nollaam|voimassa|vanhenee|aktivoi|rekisteroi|overov|overen|prihlas|prihlaso|bezpecnost|potvrz|" +
    "obnov|obnoven|vyprsi|aktivac|ellenorz|bejelentkez|belep|biztonsag|egyszer hasznal|megerosit|hitelesit|ervenyes|lejar|visszaall|" +
    "~تحقق|~تاكيد|~دخول|~امان|~مرة واحدة|~تسجيل|~صالح|~صلاحي|~تفعيل|اعادة تعيين|~استعادة|~هوية|~אימות|~כניסה|~אבטחה|~התחבר|~חד פעמי|" +
    "~תוקף|~תקף|~איפוס|~הרשמה|~הפעל|~זיהוי|~שחזור|ยืนยัน|เข้าสู่ระบบ|ครั้งเดียว|ความปลอดภัย|หมดอายุ|รีเซ็ต|ลงทะเบียน|เปิดใช้งาน|ใช้ได้|" +
    "सत्यापन|सत्यापित|लॉग इन|लॉगिन|सुरक्षा|मान्य|समाप्त|रीसेट|पंजीकरण|सक्रिय|पुष्टि|वन टाइम|" +
    "dang nhap|xac minh|xac nhan|xac thuc|bao mat|dang ky|het han|hieu luc|dat lai mat khau|mot lan|kich hoat|pedido em|pedida em|pedido a|autentif|regisztr|conect|unica folosinta|securitate|valabil|inregistr|dogrula|giris|guvenlik|tek kullanim|kimlik|sifirla|gecerli|" +
    "etkinlestir|επαληθευσ|συνδεσ|συνδεθ|ασφαλεια|μιας χρησης|επιβεβαι|ταυτοποι|ισχυει|ληγει|ενεργοποι|επαναφορ|подтвержд|" +
    "подтверд|вход|воити|безопасност|одноразов|проверочн|аутент|сброс|деиствител|деиствует|активац|підтвердж|підтверд|вхід|" +
    "увіити|безпек|перевір|автентиф|скидання|діисни|认证|認証|確認|ログイン|セキュリティ|ワンタイム|検証|本人|有効期|再設定|登録|期限|" +
    "验证|驗證|登录|登入|安全|一次性|校验|动态|确认|身份|有效|重置|注册|激活|인증|접속|로그인|보안|일회용|확인|본인|유효|만료|재설정|가입",
  /** What other numbers are of. */
  other:
    "order|invoice|receipt|tracking|parcel|shipment|package|customer|client|reference|ref$|case|ticket|phone|tel$|call|dial|fax$|" +
    "extension|conference|meeting|room|zip|postal|post code|~postcode|area code|country code|approval|terminal|serial|article|item|" +
    "sku$|batch|vat$|tax$|member|policy|contract|claim|patient|driver|number|card|ending|account number|account no|iban$|swift$|" +
    "reader|article|qr$|bar code|barcode|product|error|dress code|source code|sort code|amount|total|" +
    "bestell|auftragsnummer|rechnung|bon$|quittung|sendung|paket|kunden|referenz|vorgang|telefon|anruf|wahlen sie|konferenz|raum$|" +
    "postleitzahl|plz$|vorwahl|genehmigung|seriennummer|artikel|mitglied|police|vertrag|~nummer|nr$|endziffer|filiale|betrag|summe|" +
    "verwendungszweck|commande|facture|recu$|suivi|colis|dossier|telephone|composez|conference|salle|autorisation|numero|reference|" +
    "montant|relais|pedido|factura|recibo|seguimiento|paquete|cliente|referencia|expediente|telefono|marca|conferencia|sala$|" +
    "autorizac|tique|caso$|importe|oficina|ordine|fattura|ricevuta|spedizione|tracciamento|pacco|riferimento|pratica|chiama|" +
    "conferenza|autorizzaz|importo|fiscale|cap$|fatura|encomenda|rastre|referencia|processo|telefone|ligue|rastreamento|valor|cep$|" +
    "bestel|factuur|kenmerk|dossier|klant|zaak|conferentie|kamer|bedrag|tracking|track en trace|zamowien|faktur|paragon|przesylk|" +
    "paczk|sledzen|klient|spraw|zgloszen|telefon|zadzwon|konferenc|pokoj|autoryzacja|numer|kwota|tytul|pocztow|kurier|" +
    "bestallning|ordrenr|kvitto|kolli|sparning|ombud|kund|arende|ring$|konferens|rum$|belopp|ocr$|ordre|kvittering|sporing|pakke|" +
    "butik|sag$|konference|lokale|godkend|belob|bestilling|saks|rom$|belop|kid$|tilaus|lasku|kuitti|seuranta|~tunnus|paketti|" +
    "asiakas|viite|soita|kokous|huone|varmenne|paate|summa|asia$|tapaus|postinumero|objednav|ucten|faktura|zasilk|baliku|sledovac|" +
    "zakazn|pripad|pozadav|volejte|konference|mistnost|autorizace|cislo|castka|symbol|psc$|ridice|rendeles|szamla|nyugta|csomag|" +
    "kovetesi|ugyfel|ugyszam|hivja|konferencia|szoba|engedely|szam$|osszeg|iranyito|hivatkozas|futar|comand|chitant|awb$|colet|" +
    "urmarire|dosar|suna$|conferint|autoriz|numar|suma$|postal|referinta|tichet|caz$|siparis|fis$|kargo|takip|musteri|dosya|talep|" +
    "randevu|onay numara|numara|tutar|posta kod|kurye|oda$|παραγγελ|τιμολογ|αποδειξ|αποστολ|δεμα|παρακολουθ|πελατ|υποθεσ|καλεστε|" +
    "διασκεψ|αιθουσ|εγκρισ|τερματικ|αριθμ|ποσο|ταχυδρομ|αναφορ|αιτημα|τηλεφων|заказ|счет|чек$|трек|посылк|отслежив|клиент|обращен|" +
    "телефон|звоните|конференц|комнат|авторизац|терминал|номер|сумма|индекс|курьер|назначени|пункт|замовлен|рахунок|посилк|накладн|" +
    "відстеж|клієнт|звернен|телефонуит|конференці|кімнат|термінал|сума|індекс|кур'єр|призначен|відділен|注文|請求|領収|追跡|荷物|" +
    "お客様番号|問い合わせ|受付|電話|会議|承認|端末|番号|郵便|〒|受取|商品|订单|發票|发票|账单|收据|快递|运单|包裹|客户|工单|受理|电话|拨打|会议|授权|" +
    "终端|邮政|取件|取货|尾号|" +
    "طلب|الطلب|لطلب|بطلب|وطلب|~فاتور|~ايصال|~شحن|~طرد|~مرجع|~عميل|~عملاء|~رقم|~هاتف|اتصل|~موتمر|~قاعة|~غرفة|رمز بريدي|الرمز البريدي|~ملف|" +
    "~بلاغ|~تذكرة|~بطاقة|تنتهي ب|~موافقة|~تتبع|~سائق|~مبلغ|~اجمالي|~وزن|~نقطة|~حساب رقم|~خطا|" +
    "~הזמנ|~חשבונית|~קבלה|~משלוח|~חביל|~אסמכת|~לקוח|~מספר|~טלפון|~חייג|~ועיד|~פגיש|~חדר|~מיקוד|~תיק$|~פניי|~כרטיס|~מסתיימ|~מסתיים|~אישור|" +
    '~מסוף|~מעקב|~שליח|~סכום|~סה"כ|~משקל|~שגיא|คำสั่งซื้อ|ใบแจ้งหนี้|ใบเสร็จ|พัสดุ|อ้างอิง|ลูกค้า|หมายเลข|โทร|ประชุม|ห้อง|ไปรษณีย์|บัตร|' +
    "ลงท้าย|อนุมัติ|รหัสติดตาม|คนขับ|จำนวนเงิน|ยอดรวม|น้ำหนัก|จุดรับ|ข้อผิดพลาด|ऑर्डर|रसीद|बिल|ग्राहक|राशि|संदर्भ|शिपमेंट|पार्सल|संख्या|फ़ोन|फोन|" +
    "डायल|कॉल|मीटिंग|कमरा|पिन कोड|टिकट|शिकायत|मामला|ट्रैकिंग|ड्राइवर|कार्ड|अंतिम अंक|स्वीकृति|टर्मिनल|वज़न|पिकअप|त्रुटि|" +
    "don hang|hoa don|bien lai|khach hang|van don|buu kien|tham chieu|ho so|ma yeu cau|ma theo doi|ma don|so don|so the|co duoi|chuan chi|" +
    "thiet bi|dien thoai|cuoc hop|phong$|buu chinh|tai xe|so tien|tong cong|so tai khoan|ma loi|주문|청구|영수|운송장|배송|고객|문의|접수|전화|회의|승인|단말|번호|우편|끝자리",
  /** What codes of shops are for. */
  promo:
    "promo|discount|coupon|voucher|gift|referral|invit|off$|save|checkout|gutschein|rabatt|aktionscode|spar|reduction|remise|bon d|" +
    "profitez|descuento|cupon|ahorra|sconto|buono|risparmi|desconto|cupom|cupao|economiz|korting|actiecode|bespaar|rabat|zniz|" +
    "oszczedz|kampan|kampanj|rabatt|alennus|kampanja|saast|slev|akcni|usetri|kupon|kedvezmeny|reducere|economis|indirim|kampanya|" +
    "hediye|εκπτω|κουπον|промокод|купон|скидк|знижк|割引|クーポン|キャンペーン|优惠|促销|立减|折扣|할인|쿠폰|프로모션|" +
    "~خصم|~قسيم|~ترويج|~هدي|~הנחה|~הנחות|~קופון|~מבצע|~מתנה|~שובר|ส่วนลด|โปรโมชั่น|โปรโมชัน|คูปอง|ของขวัญ|छूट|डिस्काउंट|प्रोमो|कूपन|उपहार|" +
    "giam gia|khuyen mai|uu dai|qua tang|tiet kiem",
  /** A stay or a journey, whose "confirmation code" is the name of the booking. */
  booking:
    "booking|reservation|flight|check in|itinerary|boarding|buchung|reservierung|vol$|reserva|prenotaz|volo$|boeking|rezerwac|" +
    "bokning|booking|varaus|rezervac|foglalas|rezervare|rezervasyon|κρατηση|бронир|броню|予約|预订|航班|예약|" +
    "~حجز|~رحلة|~موعد|~טיסה|~התור|תור$|תורך|~מלון|จอง|เที่ยวบิน|นัดหมาย|बुकिंग|आरक्षण|उड़ान|अपॉइंटमेंट|dat cho|dat phong|chuyen bay|lich hen",
} as const;

/** The kind of a word around codes. */
type WordKind = keyof typeof codeWords;

/** A word around codes in a text, by its place. */
export interface CodeWord {
  readonly kind: WordKind;
  readonly start: number;
  readonly end: number;
}

interface Literal {
  readonly text: string;
  readonly kind: WordKind;
  readonly isWhole: boolean;
  readonly isWithin: boolean;
}

/** Letters without a decomposition. */
const plainLetters: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  ı: "i",
  đ: "d",
  "-": " ",
  "‐": " ",
  "’": "'",
  "־": " ",
};

/** Characters that have case or accents; all others stand for themselves. */
const foldedEnd = 0x2000;

const foldOne = (character: string): string => {
  const plain = character.normalize("NFD").charAt(0).toLowerCase().charAt(0);
  return plainLetters[plain] ?? plain;
};

const foldedCharacters: readonly string[] = Array.from({ length: foldedEnd }, (_, code) =>
  foldOne(String.fromCharCode(code)),
);

const ascii = /^[\x20-\x7e]*$/;

/** Returns a text in lower case without accents, as long as it was, so that places in both are the same. */
export const foldText = (text: string): string => {
  if (ascii.test(text)) return text.toLowerCase().replaceAll("-", " ");
  let folded = "";
  for (let n = 0; n < text.length; n += 1)
    folded += foldedCharacters[text.charCodeAt(n)] ?? plainLetters[text.charAt(n)] ?? text.charAt(n);
  return folded;
};

const toLiteral = (kind: WordKind, word: string): Literal => {
  const isWithin = word.startsWith("~");
  const isWhole = word.endsWith("$");
  const text = foldText(word.slice(isWithin ? 1 : 0, isWhole ? -1 : undefined).normalize("NFKC"));
  return { text, kind, isWhole, isWithin };
};

/** The literals by their first character, the longest first. */
const literals: ReadonlyMap<number, readonly Literal[]> = (() => {
  const byStart = new Map<number, Literal[]>();
  for (const kind of Object.keys(codeWords) as WordKind[])
    for (const word of new Set(codeWords[kind].split("|"))) {
      const literal = toLiteral(kind, word);
      const start = literal.text.charCodeAt(0);
      byStart.set(start, [...(byStart.get(start) ?? []), literal]);
    }
  for (const found of byStart.values()) found.sort((a, b) => b.text.length - a.text.length);
  return byStart;
})();

/** Those that also match within a word, by their first character. */
const literalsWithin: ReadonlyMap<number, readonly Literal[]> = new Map(
  [...literals].map(([start, found]) => [start, found.filter(({ isWithin }) => isWithin)] as const),
);

/** Letters of scripts that separate words by blanks: all but ideographs, kana and Hangul. */
const spacedLetter =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u;

const spacedLetters: readonly boolean[] = Array.from({ length: foldedEnd }, (_, code) =>
  spacedLetter.test(String.fromCharCode(code)),
);

const isSpacedAt = (text: string, at: number): boolean => spacedLetters[text.charCodeAt(at)] ?? false;

/** True if a character is a letter of a script that separates words by blanks. */
export const isSpacedLetter = (character: string | undefined): boolean =>
  character !== undefined && isSpacedAt(character, 0);

const matchAt = (folded: string, at: number): Literal | undefined => {
  const isInside = isSpacedAt(folded, at) && isSpacedAt(folded, at - 1);
  const second = folded.charCodeAt(at + 1);
  for (const literal of (isInside ? literalsWithin : literals).get(folded.charCodeAt(at)) ?? []) {
    const { text, isWhole } = literal;
    if (text.length > 1 && text.charCodeAt(1) !== second) continue;
    if (folded.startsWith(text, at) && !(isWhole && isSpacedAt(folded, at + text.length))) return literal;
  }
  return undefined;
};

/** Returns the words around codes in a folded text, in their order; of those at one place the longest. */
export const findCodeWords = (folded: string): readonly CodeWord[] => {
  const found: CodeWord[] = [];
  for (let at = 0; at < folded.length; at += 1) {
    const match = matchAt(folded, at);
    if (!match) continue;
    const end = at + match.text.length;
    found.push({ kind: match.kind, start: at, end });
    at = end - 1;
  }
  return found;
};
