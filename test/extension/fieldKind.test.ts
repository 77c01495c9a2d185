import { expect } from "chai";
import { spy } from "sinon";
import { factsOf, isOpenField } from "../../extension/content/fieldFacts.ts";
import { kindOfField } from "../../extension/content/fieldKind.ts";
import { useDom } from "../support/jsdom.ts";
import { expectLinear } from "../support/linearTime.ts";

const fieldIn = (html: string): HTMLInputElement => {
  document.body.innerHTML = html;
  const field = document.querySelector("input");
  if (field === null) throw new Error("there is no field");
  return field;
};

const kindIn = (html: string) => kindOfField(factsOf(fieldIn(html)));

/** Fields for an email address as sign-up and log-in forms have them. */
const emails: readonly string[] = [
  '<input type="email">',
  '<input type="email" autocomplete="off" name="x9">',
  '<input autocomplete="email">',
  '<input autocomplete="section-a billing email">',
  '<input autocomplete="username" placeholder="Email">',
  '<input name="email">',
  '<input name="user[email]">',
  '<input id="signupEmailAddress">',
  '<input name="userEmail">',
  '<input placeholder="you@example.com" aria-label="Your e-mail">',
  '<label>Email or phone <input name="login"></label>',
  '<label for="a">E-Mail-Adresse</label><input id="a">',
  '<label for="a">Adresse électronique (courriel)</label><input id="a">',
  '<label for="a">Correo electrónico</label><input id="a">',
  '<label for="a">Indirizzo e-mail</label><input id="a">',
  '<label for="a">Posta elettronica</label><input id="a">',
  '<label for="a">E-postadress</label><input id="a">',
  '<label for="a">Sähköposti</label><input id="a">',
  '<label for="a">Adres poczty</label><input id="a">',
  '<label for="a">E-posta adresi</label><input id="a">',
  '<label for="a">Электронная почта</label><input id="a">',
  '<label for="a">Електронна пошта</label><input id="a">',
  '<label for="a">メールアドレス</label><input id="a">',
  '<label for="a">电子邮箱</label><input id="a">',
  '<label for="a">電子郵件</label><input id="a">',
  '<label for="a">이메일 주소</label><input id="a">',
  '<label for="a">البريد الإلكتروني</label><input id="a">',
  '<label for="a">כתובת אימייל</label><input id="a">',
  '<label for="a">ईमेल पता</label><input id="a">',
  '<label for="a">อีเมล</label><input id="a">',
  '<label for="a">Thư điện tử</label><input id="a">',
  '<span id="n">Email</span><input aria-labelledby="n">',
  '<input type="email" name="newsletter" placeholder="Get our news">',
];

/** Fields for a one-time code. */
const codes: readonly string[] = [
  '<input autocomplete="one-time-code">',
  '<input autocomplete="one-time-code" type="tel" name="pin">',
  '<input type="number" name="otp">',
  '<input name="verificationCode" inputmode="numeric">',
  '<input name="security_code">',
  '<label>Confirmation code <input maxlength="6"></label>',
  '<label for="a">Bestätigungscode</label><input id="a">',
  '<label for="a">Einmalcode aus der Mail</label><input id="a">',
  '<label for="a">Código de verificación</label><input id="a">',
  '<label for="a">Code de vérification</label><input id="a">',
  '<label for="a">Codice di verifica</label><input id="a">',
  '<label for="a">Verificatiecode</label><input id="a">',
  '<label for="a">Kod weryfikacyjny</label><input id="a">',
  '<label for="a">Doğrulama kodu</label><input id="a">',
  '<label for="a">Код подтверждения</label><input id="a">',
  '<label for="a">認証コード</label><input id="a">',
  '<label for="a">验证码</label><input id="a">',
  '<label for="a">인증번호</label><input id="a">',
  '<input name="digit" aria-label="Verification code, digit 1 of 6" maxlength="1">',
];

/** Fields for anything else. */
const others: readonly string[] = [
  '<input type="password" autocomplete="current-password" name="email-password">',
  '<input type="search" placeholder="Search email">',
  '<input name="q" placeholder="Search your e-mail">',
  '<input type="text" name="subject" aria-label="Email subject">',
  '<input name="friend_email" placeholder="Email of a friend">',
  '<input name="recipient" placeholder="Recipient email">',
  '<input autocomplete="tel" name="email_phone">',
  '<input autocomplete="street-address" placeholder="Address">',
  '<input name="address">',
  '<input name="username" autocomplete="username">',
  '<input name="first_name">',
  '<input type="checkbox" name="email">',
  '<input type="hidden" name="email">',
  '<input type="submit" value="Email">',
  '<input type="date" name="email">',
  '<input name="zip_code">',
  '<input name="postal_code" placeholder="Código postal">',
  '<input name="promo_code">',
  '<input name="cvc" autocomplete="cc-csc" placeholder="Security code">',
  '<input placeholder="Card security code">',
  '<input name="country_code">',
  '<input aria-label="Code of your authenticator app, verification code">',
  '<input name="recovery_code">',
  '<input type="password" name="passcode" autocomplete="new-password">',
];

describe("A field of a page", () => {
  useDom();

  for (const html of emails)
    it(`is for an email address: ${html}`, () => expect(kindIn(html)).to.equal("email"));
  for (const html of codes) it(`is for a code: ${html}`, () => expect(kindIn(html)).to.equal("code"));
  for (const html of others) it(`is for something else: ${html}`, () => expect(kindIn(html)).to.equal(null));

  for (const html of [
    '<input type="email" disabled>',
    '<input type="email" readonly>',
    '<input type="email" multiple>',
    '<input type="email" data-1p-ignore>',
    '<input type="email" data-lpignore="true">',
    '<input type="email" data-bwignore="">',
  ])
    it(`is left alone: ${html}`, () => expect(isOpenField(fieldIn(html))).to.equal(false));

  it("is left alone in what a password manager has added to the page", () => {
    document.body.innerHTML = "<com-1password-menu></com-1password-menu>";
    const root = document.querySelector("com-1password-menu")?.attachShadow({ mode: "open" });
    if (!root) throw new Error("there is no shadow root");
    root.innerHTML = '<input type="email">';
    expect(isOpenField(root.querySelector("input") as HTMLInputElement)).to.equal(false);
  });

  it("is read no further than a sentence", () => {
    const field = fieldIn('<input id="a">');
    field.placeholder = "eMail".repeat(10_000);
    const replacing = spy(String.prototype, "replace");
    factsOf(field);
    const lengths = replacing.thisValues.map((text) => String(text).length);
    replacing.restore();
    expect(Math.max(0, ...lengths)).to.be.at.most(400);
  });

  it("is read in a time that does not depend on how much a page writes into it", () => {
    const field = fieldIn('<input id="a" aria-labelledby="a b">');
    expectLinear("verification ", 20_000, (times) => {
      field.placeholder = "verification ".repeat(times);
      field.setAttribute("autocomplete", "mail ".repeat(times));
      kindOfField(factsOf(field));
    });
    expect(factsOf(field).words.length).to.be.lessThan(3_000);
  });
});
