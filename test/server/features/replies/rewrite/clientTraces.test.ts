import { expect } from "chai";
import { findDefaultSignatures } from "../../../../../server/features/replies/rewrite/defaultSignatures.ts";
import { rewritePlainText } from "../../../../../server/features/replies/rewrite/mimeReply.ts";
import { expectLinear } from "../../../../support/linearTime.ts";

/** Default signatures as programs write them, in their languages. */
const signatures = `Sent from my iPhone
Sent from my iPad.
Sent from my iPhone 15 Pro Max
Sent from my Samsung Galaxy smartphone.
Sent from my T-Mobile 4G LTE Device
Sent from my Verizon, Samsung Galaxy smartphone
Sent via the Samsung Galaxy S23 Ultra 5G, an AT&T 5G smartphone
Sent from my HUAWEI P30 Pro
Sent from my Pixel 8
Sent from my BlackBerry 10 smartphone.
Sent from my mobile phone
Get Outlook for Android
Get Outlook for iOS<https://aka.ms/o0ukef>
Sent from Outlook for iOS
Sent from Mail for Windows
Sent from Mail for Windows 10
Sent from Yahoo Mail on Android
Sent from Yahoo Mail for iPhone
Sent from AOL on Android
Sent with Proton Mail secure email.
Sent with [Proton Mail](https://proton.me/mail/home) secure email.
Sent from Proton Mail for iOS
Sent from Proton Mail Android
Securely sent with Tutanota. Get your own encrypted, ad-free mailbox:
Sent with Tuta; enjoy secure & ad-free emails:
Sent from my Android device with K-9 Mail. Please excuse my brevity.
Sent with BlueMail for Android
Get BlueMail for Android
Sent with Spark
Sent via Superhuman
Sent from Canary (https://canarymail.io)
Sent from FairEmail
Sent with Thunderbird for Android
Sender notified by Mailtrack
Virus-free.www.avast.com
> Sent from my iPhone
  — Sent from my Galaxy —
Von meinem iPhone gesendet
> Von meinem iPad gesendet
Gesendet von meinem Samsung Galaxy Smartphone.
Gesendet von Outlook für Android
Gesendet mit der GMX Mail App
Gesendet mit der mobilen Mail App
Gesendet mit der WEB.DE Mail App
Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.
Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.
Holen Sie sich Outlook für Android
Gesendet mit der Telekom Mail App
Gesendet mit Proton Mail sicherer E-Mail.
Von meinem Huawei-Mobiltelefon gesendet
Virenfrei.www.avast.com
Envoyé de mon iPhone
Envoyé de mon iPad
Envoyé depuis mon smartphone Samsung Galaxy.
Envoyé à partir de Outlook pour Android
Envoyé à partir d’Outlook pour iOS
Télécharger Outlook pour Android
Obtenir Outlook pour iOS
Envoyé depuis Yahoo Mail pour iPhone
Envoyé avec la messagerie sécurisée Proton Mail.
Envoyé de mon appareil Android avec K-9 Mail. Veuillez excuser ma brièveté.
Provenance : Courrier pour Windows
Envoyé depuis mon téléphone Orange
Enviado desde mi iPhone
Enviado desde mi Samsung Galaxy
Enviado desde Outlook para Android
Obtener Outlook para iOS
Enviado desde Correo para Windows
Enviado con el correo seguro de Proton Mail
Inviato da iPhone
Inviato dal mio iPad
Inviato da Outlook per Android
Ottieni Outlook per iOS
Inviato da Libero Mail per Android
Enviado do meu iPhone
Obter o Outlook para Android
Enviado do Yahoo Mail no Android
Verzonden vanaf mijn iPhone
Verstuurd vanaf mijn iPad
Outlook voor Android downloaden
Skickat från min iPhone
Hämta Outlook för Android
Sendt fra min iPhone
Hent Outlook til Android
Skaff deg Outlook for iOS
Lähetetty iPhonesta
Hanki Outlook for Android
Wysłane z iPhone'a
Wysłane z mojego iPada
Pobierz aplikację Outlook dla iOS
Odesláno z iPhonu
Získat Outlook pro Android
Odoslané z iPhonu
iPhone'umdan gönderildi
Android için Outlook'u edinin
Отправлено с iPhone
Отправлено из мобильной Яндекс Почты
Отправлено из Почты Mail.ru для Android
Скачать Outlook для Android
Надіслано з iPhone
Отримати Outlook для Android
iPhoneから送信
Androidから送信
Outlook for Android を入手
发自我的iPhone
发自我的 iPhone
获取 Android 版 Outlook
從我的 iPhone 傳送
나의 iPhone에서 보냄
내 Galaxy에서 보냄
Android용 Outlook 다운로드`.split("\n");

const sentences = `Sent from my iPhone is what the thief wrote
It was sent from my iPhone
Was it sent from my iPhone?
Sent from my iPhone?
I have sent it from my phone yesterday.
Sent from my office in Oslo
Sent by mail today.
Sent with love
Please get Outlook for iOS and try again
Get the phone
My iPhone is broken
iPhone
Outlook, Thunderbird or Gmail
The signature "Sent from my iPhone" is annoying
Download Thunderbird
Yahoo Mail
Von meinem Chef gesendet
Gesendet am Montag mit der Post
Diese Nachricht wurde von meinem iPhone gesendet, weil der Rechner kaputt ist
Gesendet von Outlook oder Thunderbird?
Envoyé de Paris
Envoyé de mon iPhone, qui est neuf
J'ai envoyé le téléphone
Enviado desde Madrid
Inviato da Roma con il telefono di Anna
Verzonden op maandag
Skickat från Stockholm
Wysłane z Krakowa
Отправлено с почты на Тверской
iPhoneを送信した
发自北京
Best wishes from Galaxy Street`.split("\n");

describe("The default signatures of mail programs", () => {
  it(`are removed, ${signatures.length} of ${signatures.length}`, () => {
    expect(signatures.filter((line) => findDefaultSignatures([line]).size === 0)).to.deep.equal([]);
    expect(signatures.length).to.be.greaterThan(60);
  });

  it(`and sentences that contain their words stay, ${sentences.length} of ${sentences.length}`, () => {
    expect(sentences.filter((line) => findDefaultSignatures([line]).size > 0)).to.deep.equal([]);
    expect(sentences.length).to.be.greaterThan(20);
  });

  it("are found where they take two lines, and go with the separator before them", () => {
    const text = "Yes.\r\n\r\n-- \r\nGesendet mit der\r\nGMX Mail App\r\n\r\n> Is it right?\r\n";
    expect(rewritePlainText(text, (one) => one)).to.equal("Yes.\r\n\r\n\r\n> Is it right?\r\n");
    const own = "Yes.\n-- \nAda\nSent from my iPhone\n";
    expect(rewritePlainText(own, (one) => one)).to.equal("Yes.\n-- \nAda\n");
  });
});

describe("The plain text of a reply", () => {
  it("has no parts of the HTML, and links lead to what is behind checks", () => {
    const cases: readonly (readonly [string, string])[] = [
      ["[cid:image001.png@01DB0000.HOME]Hello", "Hello"],
      ["bob@shop.example<mailto:bob@shop.example> wrote", "bob@shop.example wrote"],
      ["Report<file:///C:/Users/ada/report.pdf>!", "Report!"],
      ["Write to <mailto:bob@shop.example>.", "Write to <mailto:bob@shop.example>."],
      [
        "Shop<https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshop.example%2F&data=1>",
        "Shop<https://shop.example/>",
      ],
      ["[https://ci3.googleusercontent.com/mail-sig/AIorK4] Bob", " Bob"],
      ["Event (https://www.google.com/calendar/event?eid=YWRh).", "Event ()."],
      ["A List<> of https://shop.example/a?b=1, or [].", "A List<> of https://shop.example/a?b=1, or []."],
    ];
    for (const [text, expected] of cases) expect(rewritePlainText(text, (one) => one)).to.equal(expected);
  });

  it("takes time in proportion to its length, whatever it consists of", () => {
    const pieces = [
      "a",
      "\n",
      "Sent from my iPhone\n",
      "Sent from my ",
      "iPhone ",
      "-- \n",
      "http://",
      "http://a\n",
      "<",
      "[cid:",
    ];
    for (const piece of [...pieces, "<file:", "x<mailto:", "http://x/!!!!!!", "é\n", "\u0301", "&", "发"])
      expectLinear(piece, Math.ceil(60_000 / piece.length), (times) => {
        rewritePlainText(piece.repeat(times), (one) => one);
      });
  });
});
