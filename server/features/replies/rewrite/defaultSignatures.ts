/** Devices, programs, and providers whose names are enough to recognize a default signature. */
const names = new Set(
  [
    "android aol apple aquamail avast avg bluemail blackberry canary emclient fairemail fastmail foxmail freenet gmail",
    "gmx galaxy google hotmail htc huawei icloud ios iphone ipad ipod k9 kakao laposte libero mailbird mailcom mailspring mailfence",
    "mailru mailtrack maildroid motorola mymail naver nokia oneplus onet oppo outlook pixel posteo postbox",
    "proton protonmail realme redmi samsung seznam sfr shortwave smailtrack sony spark spike superhuman telekom",
    "thunderbird tim tiscali tonline tuta tutanota typeapp verizon virgilio vivaldi vodafone webde windows wp xiaomi xperia",
    "yahoo yandex zimbra zoho qq att tmobile netease interia",
    "smartphone smartphones smartphonu smartfona smartfon smartphonesta tablet tableta tablette tabletu",
    "phone mobile mobil handy mobiltelefon mobilgerät mobilgeräts mobiltelefons móvil celular cellulare téléphone",
    "telefon telefonu telefonum telefonumdan telefoon teléfono telefono telemóvel telefone puhelimesta matkapuhelimesta",
    "mobilen mobiltelefonen mobilnog komórki telefonem mobilu mobiele mobiel",
    "телефона телефону смартфона смартфону андроида айфона мобильного мобільного 手机 手機 携帯 スマートフォン 휴대폰",
    "アイフォン 網易郵箱大師 网易邮箱大师 网易邮箱 邮箱",
  ].flatMap((line) => line.split(" ")),
);

/** Words that stand beside such names, and are none themselves. */
const besideNames = new Set(
  [
    "app application appli aplicación aplicativo aplicação applicazione appen apps client dienst desktop device devices",
    "edition email emails encrypted mail mails mailapp mailer mobilemail plus pro max mini ultra lite note fold flip",
    "edge air se xl xr xs xt 3g 4g 5g lte wireless network smart secure sicher beta touch watch web webmail webmailer",
    "phones series gerät geräts appareil dispositivo dispositif enhet laite urządzenia zařízení cihaz cihazımdan",
    "почты почта пошта пошти почту приложения from10 10 11 powered honor orange newton edison nine hey boxer one free",
    "moto poco lumia mate nova live family premium business antivirus phone's courriel correo electrónico posta",
    "sichere sicheren sicherer sicheres verschlüsselte verschlüsselten verschlüsselter seguro segura sécurisé sécurisée",
    "sicura sicuro chiffré chiffrée cifrado cifrada beveiligde säker sikker mobiltelefone",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Default signatures of common programs, by language. Names stand for all others: with `iPhone` goes `Galaxy S24`.
 */
const examples: readonly string[] = [
  // English
  `Sent from my iPhone | Sent from iPhone | Sent from my iPhone using Outlook |
    Sent on the go from my iPhone | Sent from my iPhone with Spark | Sent from an iPhone | Sent on my iPhone |
    Sent using my iPhone | Sent from Outlook for iOS | Sent from Outlook on iOS | Get Outlook for iOS |
    Sent using Outlook | Sent via Outlook | Sent by Outlook | Sent with Outlook | Sent with the Outlook |
    Sent from the Outlook | Sent via the Outlook | Sent via the Galaxy, an AT&T smartphone |
    Sent from Outlook, get it here | Sent from Outlook. Get yours now | Get Outlook for free |
    Download Outlook for iOS | Sent from Outlook for Windows | Sent with Proton Mail secure email |
    Sent from Proton Mail for iOS | Sent from my Android device with K-9 Mail. Please excuse my brevity |
    Sent from my Android with K-9 Mail | Sent from my iPhone. Please excuse my brevity |
    Sent from my iPhone. Please excuse brevity and typos | Sent from my iPhone, please excuse any typos |
    Sent from my iPhone, please forgive typos | Sent securely from Outlook | Sent securely with Tutanota |
    Secured with Proton | Sent with secure Proton |
    Securely sent with Tutanota. Get your own encrypted, ad-free mailbox |
    Sent with Tutanota; enjoy secure emails | Sent with Tuta; enjoy secure & ad-free emails |
    Sent with Tutanota, the secure & ad-free mailbox | Yahoo Mail: Search, Organize, Conquer |
    Sent from Yahoo Mail. Get the app | Sender notified by Mailtrack | Sent from Yahoo Mail for iPhone |
    Sent from Yahoo Mail on Android | Sent via Superhuman |
    Sent from my BlackBerry - the most secure mobile device | Sent from the all new AOL app for iOS |
    Sent from the all-new AOL app for Android | Sent from my iPhone via Outlook |
    Sent from iPhone via Outlook | This email was sent from my iPhone | This message was sent from my iPhone |
    Message sent from my iPhone | Mail sent from my iPhone | Email sent from my iPhone |
    Written on my iPhone | Typed on my iPhone | Virus-free. www.avast.com |
    This email has been checked for viruses by Avast antivirus software. www.avast.com |
    This email is free from viruses and malware because avast! Antivirus protection is active |
    Sent from Outlook, the best free email app for work | Sent from Mail for Windows 10 | Sent with BlueMail for Android | Get BlueMail for Android`,
  // German
  `Von meinem iPhone gesendet | Gesendet von meinem iPhone | Von iPhone gesendet | Gesendet vom iPhone |
    Von meinem iPhone aus gesendet | Vom iPhone gesendet | Mit meinem iPhone gesendet |
    Gesendet mit meinem iPhone | Gesendet von Outlook für iOS | Gesendet von Outlook | Gesendet mit Outlook |
    Gesendet über Outlook | Gesendet mit der GMX Mail App | Gesendet mit der mobilen Mail App von GMX |
    Gesendet aus der GMX App | Gesendet mit der Telekom Mail App | Gesendet von Yahoo Mail auf Android |
    Gesendet aus Proton Mail für iOS | Gesendet aus Outlook | Gesendet mit Proton Mail sicherer E-Mail |
    Gesendet via Outlook | Outlook für iOS abrufen | Holen Sie sich Outlook für iOS |
    Laden Sie Outlook für iOS herunter | Gesendet mit BlueMail für Android |
    Diese Nachricht wurde von meinem iPhone gesendet | Diese Nachricht wurde mit Outlook gesendet |
    Diese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet |
    Diese Mail wurde vom iPhone gesendet |
    Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet |
    Diese E-Mail wurde von meinem iPhone gesendet | Gesendet von meinem iPhone mit K-9 Mail |
    Von meinem iPhone mit Outlook gesendet | Sicher gesendet mit Tutanota | Sicher versendet mit Tutanota |
    Versendet mit Outlook | Virenfrei. www.avast.com | Virenfrei. www.avg.com |
    Diese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft. www.avast.com |
    Mobil gesendet von iPhone | Gesendet mit Tuta; werbefreie, sichere E-Mails |
    Mit Proton Mail gesendet | Mit sicherer E-Mail von Proton Mail gesendet | Gesendet mit der sicheren E-Mail von Proton Mail | Sicher gesendet mit Proton Mail |
    Gesendet mit dem sicheren E-Mail-Dienst Proton Mail | Gesendet durch Proton Mail | Verschickt mit Proton Mail |
    Diese E-Mail wurde mit Proton Mail gesendet | Diese Nachricht wurde mit meinem Samsung gesendet |
    Von meinem Samsung Gerät aus gesendet | Gesendet von Samsung Mobile | Gesendet von einem Samsung Gerät |
    Von einem Samsung Gerät gesendet | Gesendet von meinem Samsung Gerät | Gesendet über mein Samsung Gerät |
    Von Samsung-Tablet gesendet | Von meinem/meiner Galaxy gesendet | Gesendet mit meinem Samsung Smartphone | Geschickt von meinem Samsung |
    Diese Nachricht wurde von meinem Samsung aus gesendet | Von meinem Android-Gerät mit K-9 Mail gesendet |
    Gesendet von meinem Android-Gerät mit K-9 Mail. Bitte entschuldigen Sie meine Kürze |
    Gesendet von meinem Android-Gerät mit K-9 Mail. Bitte entschuldige meine Kürze |
    Von meinem Mobiltelefon gesendet | Von unterwegs gesendet vom iPhone`,
  // French
  `Envoyé de mon iPhone | Envoyé depuis mon iPhone | Envoyé à partir de mon iPhone | Envoyé de l'iPhone |
    Envoyé à partir de Outlook pour iOS | Envoyé à partir d'Outlook pour iOS |
    Envoyé depuis Outlook pour iOS | Envoyé à partir d'Outlook | Envoyé depuis Outlook | Envoyé avec Outlook |
    Envoyé avec l'application Outlook | Envoyé avec Outlook pour iOS | Envoyé depuis l'application Outlook |
    Envoyé via Outlook | Obtenir Outlook pour iOS | Télécharger Outlook pour iOS | Obtenez Outlook pour iOS |
    Envoyé avec la messagerie sécurisée Proton Mail |
    Envoyé de mon appareil Android avec K-9 Mail. Veuillez excuser ma brièveté |
    Envoyé de mon appareil Android avec Courriel K-9 Mail. Veuillez excuser ma brièveté |
    Envoyé de mon appareil Android avec K-9 Mail. Excusez ma brièveté |
    Envoyé de mon Android avec K-9 Mail. Veuillez excuser ma brièveté | Envoyé avec Proton Mail, messagerie sécurisée |
    Envoyé avec la messagerie électronique sécurisée Proton Mail | Envoyé par Proton Mail |
    Envoyé de mon appareil mobile Samsung | Envoyé depuis mon mobile Samsung | Envoyé avec K-9 Mail | Envoyé de Outlook pour iOS |
    Envoyé depuis mon appareil Android avec K-9 Mail. Veuillez excuser ma brièveté |
    Envoyé à partir de Outlook | Provenance : Courrier pour Windows 10 | Provenance : Courrier pour Windows |
    Envoyé depuis Yahoo Mail sur Android | Envoyé par Outlook | Envoyé d'un iPhone |
    Sans virus. www.avast.com | Garanti sans virus. www.avast.com | Message envoyé depuis mon iPhone |
    Ce message a été envoyé depuis mon iPhone | Envoyé à partir d’un Galaxy |
    Envoyé depuis mon téléphone Orange | Envoyé depuis l'application Mail Orange |
    Envoyé avec Outlook Mail pour Android`,
  // Spanish
  `Enviado desde mi iPhone | Enviado desde iPhone | Enviado desde el iPhone |
    Enviado desde Outlook para iOS | Obtener Outlook para iOS | Enviado desde Outlook | Enviado con Outlook |
    Enviado con Outlook para iOS | Enviado desde mi iPhone con Outlook | Enviado de mi iPhone |
    Enviado con el correo seguro de Proton Mail | Enviado desde Correo para Windows |
    Enviado desde Correo para Windows 10 | Enviado mediante Outlook |
    Enviado con el email seguro de Proton Mail | Enviado con Proton Mail, correo electrónico seguro |
    Enviado con Proton Mail de forma segura | Enviado de forma segura con Proton Mail | Enviado por Proton Mail |
    Enviado a través de Proton Mail | Enviado con el servicio de correo seguro de Proton Mail |
    Enviado con la app de Proton Mail | Enviado desde mi dispositivo Samsung | Obtén Outlook para iOS | Descargar Outlook para iOS |
    Enviado desde mi dispositivo Android con K-9 Mail. Por favor, disculpa mi brevedad |
    Enviado desde mi teléfono móvil | Enviado desde Yahoo Mail para iPhone |
    Enviado desde Yahoo Mail con Android | Libre de virus. www.avast.com |
    Enviado desde mi smartphone Samsung Galaxy | Enviado desde la aplicación Outlook |
    Mensaje enviado desde mi iPhone`,
  // Italian
  `Inviato da iPhone | Inviato dal mio iPhone | Inviato da Outlook per iOS | Inviato da Outlook |
    Inviato con Outlook | Inviato con l'email sicura di Proton Mail | Ottieni Outlook per iOS |
    Scarica Outlook per iOS | Inviato tramite Outlook |
    Inviato dal mio dispositivo Android con K-9 Mail. Perdonate la brevità | Inviato da Posta per Windows 10 |
    Inviato da Posta per Windows | Inviato da Yahoo Mail su Android | Inviato da Libero Mail |
    Inviato dall'app Outlook | Inviato dal mio smartphone Samsung Galaxy | Inviato dalla mia app Outlook |
    Inviato con la app Outlook | Privo di virus. www.avast.com | Messaggio inviato dal mio iPhone |
    Inviato con l'app Outlook`,
  // Portuguese
  `Enviado do meu iPhone | Enviado a partir do meu iPhone | Enviado do iPhone | Enviado do Outlook para iOS |
    Enviado pelo Outlook | Enviado através do Outlook | Obter o Outlook para iOS |
    Obtenha o Outlook para iOS | Enviado com o Proton Mail | Enviado com e-mail seguro Proton Mail |
    Enviado do Email para Windows | Enviado do Correio para Windows 10 | Enviado do Yahoo Mail no Android |
    Enviado do meu smartphone Samsung Galaxy | Enviado com Outlook | Enviado via Outlook |
    Livre de vírus. www.avast.com | Sem vírus. www.avast.com | Enviado a partir do Outlook para iOS |
    Enviado a partir do Outlook | Enviado da minha conta do Outlook`,
  // Dutch
  `Verzonden vanaf mijn iPhone | Verstuurd vanaf mijn iPhone | Verzonden vanuit Outlook voor iOS |
    Outlook voor iOS downloaden | Verzonden met Outlook | Verzonden met Outlook voor iOS |
    Verzonden via Outlook | Verstuurd met Outlook | Outlook voor iOS ophalen | Download Outlook voor iOS |
    Verzonden vanaf Outlook voor iOS | Verzonden vanuit Outlook |
    Verzonden vanaf mijn Android apparaat met K-9 Mail. Excuseer mijn beknoptheid |
    Verstuurd vanaf mijn mobiel | Verzonden met Proton Mail beveiligde e-mail |
    Verzonden vanaf Yahoo Mail op Android | Virusvrij. www.avast.com | Verzonden met de Outlook app |
    Verzonden vanuit Mail voor Windows | Verzonden vanaf mijn Galaxy | Verzonden vanaf iPhone`,
  // Swedish
  `Skickat från min iPhone | Skickades från min iPhone | Skickat från Outlook för iOS |
    Hämta Outlook för iOS | Skickat från Outlook | Skickat med Outlook | Skickades från Outlook för iOS |
    Skickat via Outlook | Skickat från iPhone | Skickat från E-post för Windows |
    Skickat från min Samsung-mobil | Skickat med Proton Mail säker e-post |
    Skickat från min Android-enhet med K-9 Mail. Ursäkta min fåordighet | Virusfri. www.avast.com`,
  // Danish
  `Sendt fra min iPhone | Sendt fra iPhone | Sendt fra Outlook til iOS | Hent Outlook til iOS |
    Sendt fra Outlook | Sendt med Outlook | Sendt via Outlook |
    Sendt fra min Android-enhed med K-9 Mail. Undskyld min korthed | Sendt fra Mail til Windows |
    Sendt med Proton Mail sikker e-mail | Sendt fra min Samsung Galaxy-smartphone`,
  // Norwegian
  `Sendt fra Outlook for iOS | Skaff deg Outlook for iOS | Få Outlook for iOS | Last ned Outlook for iOS |
    Hent Outlook for iOS | Sendt fra E-post for Windows | Sendt fra min Samsung-mobil |
    Sendt med Proton Mail sikker e-post`,
  // Finnish
  `Lähetetty iPhonesta | Lähetetty iPhonestani | Lähetetty Outlook for iOSista | Hanki Outlook for iOS |
    Lähetetty Outlookista | Lähetetty Outlook iOS | Lähetetty laitteesta iPhone |
    Lähetetty Samsung-puhelimesta | Lähetetty puhelimesta | Lähetetty Windowsin sähköpostista Outlook |
    Lähetetty Outlookilla | Hanki Outlook iOS:lle`,
  // Polish
  `Wysłane z iPhone'a | Wysłano z iPhone'a | Wysłane z mojego iPhone'a | Wysłane z iPhone |
    Wysłane z mojego iPhone | Wysłane z Outlook dla iOS | Wysłane z programu Outlook dla iOS |
    Pobierz Outlook dla iOS | Pobierz aplikację Outlook dla iOS | Pobierz program Outlook dla iOS |
    Wysłane z aplikacji Outlook | Wysłano z Outlook | Wysłane za pomocą Outlook |
    Wysłane przy użyciu Outlook | Wysłane za pomocą Proton Mail |
    Wysłane z aplikacji Poczta dla systemu Windows Outlook | Wolny od wirusów. www.avast.com |
    Wysłane z urządzenia Samsung | Wysłane z telefonu Samsung | Wysłano z mojego urządzenia Android |
    Wysłane z mojego smartfona Samsung | Wysłane bezpieczną pocztą Proton Mail`,
  // Czech and Slovak
  `Odesláno z iPhonu | Odesláno z mého iPhonu | Odesláno z iPhone | Získat Outlook pro iOS |
    Odesláno z Outlooku pro iOS | Odesláno z mobilu | Odesláno z telefonu Samsung |
    Odesláno z aplikace Outlook | Odesláno pomocí Outlook | Odesláno z Outlook pro iOS |
    Odesláno z mého telefonu Samsung | Bez virů. www.avast.com | Odesláno ze Samsung | Odoslané z iPhonu |
    Odoslané z môjho iPhonu | Odoslané z iPhone | Získajte Outlook pre iOS | Odoslané z Outlooku |
    Získať Outlook pre iOS | Odoslané z Outlooku pre iOS`,
  // Hungarian, Romanian, Greek
  `Az iPhone-omról küldve | iPhone-ról küldve | iPhone-omról küldve | Küldve az iPhone-omról |
    Az Outlook iOS-re letöltése | Trimis de pe iPhone-ul meu | Trimis de pe iPhone |
    Trimis din Outlook pentru iOS | Descărcați Outlook pentru iOS | Trimis de pe telefonul meu Samsung |
    Στάλθηκε από το iPhone μου | Εστάλη από το iPhone μου | Αποστολή από το iPhone μου |
    Λήψη του Outlook για iOS | Στάλθηκε από το Outlook για iOS`,
  // Turkish
  `iPhone'umdan gönderildi | iPhone'dan gönderildi | iPhone'umdan gönderilmiştir |
    iOS için Outlook'u edinin | iOS için Outlook edinin | Outlook'tan gönderildi |
    Samsung cihazımdan gönderildi | Samsung telefonumdan gönderildi | Outlook ile gönderildi |
    iOS için Outlook'tan gönderildi | Android için Outlook'u indirin |
    Windows için Posta ile gönderildi Outlook`,
  // Russian and Ukrainian
  `Отправлено с iPhone | Отправлено с моего iPhone | Отправлено из Outlook для iOS |
    Скачать Outlook для iOS | Получить Outlook для iOS | Отправлено из мобильной Яндекс Почты |
    Отправлено из Почты Mail.ru | Отправлено из Outlook | Отправлено из приложения Outlook |
    Отправлено с устройства Samsung | Отправлено из Mail.ru для Android | Отправлено с помощью Outlook |
    Отправлено с защищенной почты Proton Mail | Отправлено через Outlook | Отправлено из myMail для iOS |
    Без вирусов. www.avast.com | Отправлено с Samsung Galaxy смартфона | Надіслано з iPhone |
    Надіслано з мого iPhone | Надіслано з Outlook для iOS | Отримати Outlook для iOS |
    Надіслано з пристрою Samsung | Відправлено з iPhone | Відправлено з мого iPhone |
    Надіслано за допомогою Outlook | Надіслано через Outlook | Надіслано з Outlook`,
  // Japanese, Chinese, Korean
  `iPhoneから送信 | 私のiPhoneから送信 | Outlook for iOSを入手 | iOS版Outlookを入手 | Outlookから送信 | Outlook for iOSから送信 |
    iPhoneから送信されました | Yahoo!メール | iPhoneで送信 | Windows版のメールから送信 Outlook | Outlook for iOS を入手する |
    iOS 用 Outlook を入手 | Androidスマートフォンから送信 | Yahoo!メールアプリから送信 | Outlookアプリから送信 | iOS 用 Outlook から送信 |
    发自我的iPhone | 发自iPhone | 发自我的 Galaxy 手机 | 从我的iPhone发送 | 获取适用于 iOS 的 Outlook | 获取 iOS 版 Outlook |
    发送自 Outlook | 发送自我的 iPhone | 來自我的 iPhone | 從我的 iPhone 傳送 | 取得 iOS 版 Outlook | 寄自我的 iPhone | 发自网易邮箱大师 |
    发自 Outlook | 從 iPhone 傳送 | 发自我的网易邮箱 | 取得適用於 iOS 的 Outlook | 從我的iPhone發送 | 发送自 iOS 版 Outlook |
    从 Outlook 发送 | 发送自 Windows 版邮件 Outlook | 나의 iPhone에서 보냄 | 내 iPhone에서 보냄 | iPhone에서 보냄 |
    iOS용 Outlook 다운로드 | Outlook에서 보냄 | iOS용 Outlook에서 보냄 | 내 Galaxy에서 보냄 | iOS용 Outlook 받기 | 나의 Galaxy에서 보냄 |
    iOS용 Outlook 가져오기 | 내 Galaxy 휴대폰에서 보냈습니다 | Galaxy에서 보냈습니다`,
].flatMap((list) => list.split("|"));

/** Names with a dot, hyphen or ampersand, as one word. */
const joinedNames: readonly (readonly [RegExp, string])[] = [
  [/\bweb\.de\b/g, "webde"],
  [/\bmail\.ru\b/g, "mailru"],
  [/\bmail\.com\b/g, "mailcom"],
  [/\bt-online\b/g, "tonline"],
  [/\bt-mobile\b/g, "tmobile"],
  [/\bat&t\b/g, "att"],
  [/\bk-?9\b/g, "k9"],
  [/\be-(?=mails?\b|post\b)/g, "e"],
  [/\bem client\b/g, "emclient"],
  [/\b(?:outlook|hotmail|yahoo|gmail|aol)\.com\b/g, "outlook"],
  [/яндекс\S{0,3}/g, "yandex"],
];

/** Words by script; other signs, such as the marks of a quote, are between them. */
const words =
  /[\p{Script=Latin}\p{M}\d]+|[\p{Script=Cyrillic}\p{M}]+|[\p{Script=Greek}\p{M}]+|\p{Script=Han}+|[\p{Script=Hiragana}\p{Script=Katakana}ー]+|\p{Script=Hangul}+/gu;

const firstWord = new RegExp(words.source, "u");

/** A name with the ending of a case, as in `iPhonesta`. */
const inflectedName = /^(?:iphone?|ipad|ipod|android|outlook|ios|gmail|samsung|galaxy)\p{L}{0,6}$/u;
const model = /^(?:\p{L}{0,2}\d{1,4}\p{L}{0,4}|[a-z]\d{1,3}[a-z]?)$/u;

const isName = (word: string): boolean => names.has(word) || inflectedName.test(word);

const maxSignatureLength = 200;

/** The sentence of a line with all names replaced by one sign; null when it names nothing, or is too long. */
const shapeOf = (line: string): string | null => {
  if (line.length > maxSignatureLength || /[?]\s*$/.test(line)) return null;
  let text = line
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/https?:\/\/[^\s>)\]]*|\bwww\.(?=\S)|<[^<>]*>/g, (found) => (found === "www." ? "" : " "));
  for (const [form, name] of joinedNames) text = text.replaceAll(form, () => name);
  const shape: string[] = [];
  let isNamed = false;
  for (const word of text.match(words) ?? []) {
    const isStrong = isName(word);
    isNamed ||= isStrong;
    const isJoined = isStrong || besideNames.has(word) || (shape.at(-1) === "*" && model.test(word));
    if (!isJoined) shape.push(word);
    else if (shape.at(-1) !== "*") shape.push("*");
  }
  return isNamed ? shape.join(" ") : null;
};

const shapes: ReadonlySet<string> = new Set(examples.flatMap((example) => shapeOf(example) ?? []));

const firstWords: ReadonlySet<string> = new Set([...shapes].map((shape) => shape.split(" ", 1)[0] ?? ""));

/** The first part of a name with a dot, hyphen or ampersand counts as the name. */
const isPartOfName = (word: string): boolean =>
  isName(word) || /^(?:web|mail|t|at|k|e|em|яндекс\p{L}?)$/u.test(word);

/** True if a line may begin a default signature; most lines need no more than this. */
const mayBegin = (line: string): boolean => {
  const [first = ""] = line.slice(0, 60).normalize("NFKC").toLowerCase().match(firstWord) ?? [];
  return first !== "" && (firstWords.has(first) || besideNames.has(first) || isPartOfName(first));
};

/** A sign alone is not a sentence. */
const isDefaultSignature = (line: string): boolean => {
  const shape = shapeOf(line);
  return shape !== null && shape !== "*" && shapes.has(shape);
};

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";

/** Returns the number of lines of a default signature that begins at a position: none, one or two. */
const signatureLengthAt = (lines: readonly string[], n: number): 0 | 1 | 2 => {
  const [line = "", next = ""] = [lines[n], lines[n + 1]];
  if (isDefaultSignature(line)) return 1;
  const isPair = !isBlank(next) && line.length + next.length < maxSignatureLength;
  return isPair && isDefaultSignature(`${line} ${next}`) ? 2 : 0;
};

/**
 * Returns the positions of the lines that are the default signature of a program, which may take two lines, with the
 * separator before the last one. Sentences that only contain such words stay.
 */
export const findDefaultSignatures = (lines: readonly string[]): ReadonlySet<number> => {
  const found = new Set<number>();
  for (const [n, line] of lines.entries()) {
    const length = found.has(n) || !mayBegin(line) ? 0 : signatureLengthAt(lines, n);
    for (let at = n; at < n + length; at += 1) found.add(at);
    if (length > 0 && lines[n - 1]?.trim() === "--" && isBlank(lines[n + length])) found.add(n - 1);
  }
  return found;
};
