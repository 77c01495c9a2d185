import { expect } from "chai";
import { rewriteHtml } from "../../../../../../server/features/replies/rewrite/html/replyHtml.ts";
import { expectLinear } from "../../../../../support/linearTime.ts";

const mask = "shop@masks.example";

/** Replaces the owner's address as the relay does, without what is not seen. */
const replace = (text: string): string => {
  const seen = text.replaceAll(/[\u00ad\u200b-\u200d\ufeff]/g, "");
  return /ada@home\.example/i.test(seen) ? seen.replaceAll(/ada@home\.example/gi, () => mask) : text;
};

/** The contents of the body. */
const rewrite = (html: string): string => {
  const written = rewriteHtml(html, {
    isWebmail: () => false,
    replace,
    replaceHidden: replace,
    renameId: (id) => `<renamed-${id.length}@masks.example>`,
  });
  return /<body[^>]*>(.*)<\/body>/s.exec(written)?.[1] ?? "";
};

describe("The HTML of a reply", () => {
  it("has the mask wherever a reader would see the owner's address", () => {
    const shapes = [
      "ada@home.example",
      "ADA@Home.Example",
      "ada&#64;home&period;example",
      "&#x61;da&commat;home.example",
      "a<b>da</b>@<i>home</i>.example",
      "<b>ada</b><wbr>@home<!-- -->.example",
      "ada&shy;@home&#8203;.example",
      '<span style="color:red">ad</span><span>a@home.example</span>',
      "ada<script>x</script>@home.example",
      "ada<img src='https://shop.example/x.png'>@home.example",
      "ada<td>@home.example</td>",
      '<a href="mailto:ada@home.example">x</a>',
      '<a href="mailto:ada%40home.example?subject=Hi">x</a>',
      '<a href="mailto:%61%64%61%40home%2Eexample">x</a>',
      '<a href="https://shop.example/?to=ada%2540home.example">x</a>',
      '<a href="https://shop.example/?to=ada%25252540home%2525252eexample&amp;x=1">x</a>',
      '<a href="https://shop.example/?next=https%3A%2F%2Fshop.example%2F%3Fto%3Dada%2540home.example">x</a>',
      '<a href="https://shop.example/" title="ada&#64;home.example">x</a>',
      '<img src="https://shop.example/x.png" alt="ada@home.example">',
      "<pre>a<u>da@home.example</u></pre>",
      "<p>Hello ada@home.example<p>bye",
    ];
    for (const shape of shapes) {
      const written = rewrite(`<div>Hi ${shape} there</div>`);
      expect(written.replaceAll(/<\/?\w+>/g, ""), shape).not.to.match(/home|%25/);
      expect(written.replaceAll(/<\/?\w+>/g, ""), shape).to.contain(mask);
    }
  });

  it("keeps the formatting around what is replaced", () => {
    expect(rewrite("<p><b>Hi</b> ada@home.example, <i>bye</i><br>next <u>line</u></p>")).to.equal(
      `<p><b>Hi</b> ${mask}, <i>bye</i><br>next <u>line</u></p>`,
    );
    expect(rewrite("<p><b>Hi</b> a<i>da@home.example and</i> <u>bye</u></p>")).to.equal(
      `<p><b>Hi</b> ${mask}<i> and</i> <u>bye</u></p>`,
    );
    expect(rewrite("<p>one<br>ada@<b>home.example</b><br>three <b>four</b></p>")).to.equal(
      `<p>one<br>${mask}<br>three <b>four</b></p>`,
    );
  });

  it("still shows text, links, tables, lists, pictures and quotes", () => {
    const shown = [
      "<h1>Title</h1><p>One &amp; two &lt;three&gt;</p>",
      '<a href="https://shop.example/a?b=1&amp;c=2#d">Link</a>',
      '<table border="1" cellpadding="3"><tr><td colspan="2" align="right">A</td><th>B</th></tr></table>',
      "<ul><li>One</li><li>Two</li></ul>",
      '<ol start="3"><li>Three</li></ol>',
      '<img src="https://shop.example/logo.png" alt="Logo" width="80" height="20">',
      '<p style="color:red;margin:0 0 8px;text-align:center">Red</p>',
      "<pre>a  b\n  c</pre>",
    ];
    for (const html of shown) expect(rewrite(html)).to.equal(html);
    expect(rewrite('<blockquote class="x">Old<blockquote>Older</blockquote></blockquote>')).to.match(
      /^<blockquote type="cite" style="[^"]+border-left[^"]+">Old<blockquote type="cite"[^>]+>Older</,
    );
    expect(
      rewrite('<p class="MsoNormal">a</p><style>p.MsoNormal{margin:0cm}</style><p class=MsoNormal>b'),
    ).to.equal('<p>a</p><p style="margin:0">b</p>');
  });

  it("has nothing that runs, loads by itself, or identifies a program or its user", () => {
    const hidden = [
      "<script>x</script>",
      "<style>.x{color:red}</style>",
      "<!-- x --><!--[if mso]>x<![endif]--><![if !mso]>",
      '<meta name="author" content="x"><meta name=Generator content="x"><base href="https://x.example/"><link rel=x href=x>',
      '<img width="1" height="1" src="https://x.example/"><img style="max-height:0" src="https://x.example/">',
      '<input value="x"><select><option>x</select><textarea>x</textarea>',
      "<svg><text>x</text></svg><iframe src=x>x</iframe><object data=x>x</object><template>x</template>",
      '<div style="display: none">x</div><title>x</title><audio src=x></audio>',
      "<span id=x class=x lang=x data-x=x onclick=x dir=auto></span><o:p></o:p>",
    ];
    for (const html of hidden) expect(rewrite(html), html).not.to.contain("x");
    const links = [
      "file:///C:/Users/x",
      "javascript:x",
      "java\nscript:x",
      "x-apple-data-detectors://x",
      "//",
      "#x",
      "x.html",
      "https://mail.google.com/mail/u/0/?ik=x",
      "https://www.google.com/calendar/event?eid=x",
    ];
    for (const link of links)
      expect(rewrite(`<a href="${link}">y</a><img src="${link}">`), link).to.equal("y");
    const pictures = [
      "https://ci3.googleusercontent.com/mail-sig/x",
      "https://drive.google.com/uc?id=x&export=download",
      "data:image/svg+xml;base64,eA==",
      "data:text/html,x",
      "blob:https://x.example/x",
    ];
    for (const picture of pictures) expect(rewrite(`<img src="${picture}" alt="y">`), picture).to.equal("y");
    expect(
      rewrite(
        '<p style="mso-x:y;background:url(https://x.example/);-webkit-x:y;position:fixed;color:windowtext;font-family:Aptos,Aptos_EmbeddedFont;font-size:12.0pt;c\\6flor:red;width:expression(x)">a</p>',
      ),
    ).to.equal('<p style="font-family:sans-serif;font-size:16px">a</p>');
    expect(rewrite('<img src="https://shop.example/a.png" alt="C:\\Users\\ada\\x.png">')).to.contain(
      'alt=""',
    );
  });

  it("leads to what is behind the checks and caches of a provider", () => {
    const target = "https://shop.example/order?id=1";
    const encoded = encodeURIComponent(target);
    const wrapped = [
      `https://eur01.safelinks.protection.outlook.com/?url=${encoded}&data=05%7Cada`,
      `https://urldefense.com/v3/__${target}__;!!abc!def$`,
      `https://urldefense.proofpoint.com/v2/url?u=${encoded.replaceAll("%", "-").replaceAll("/", "_")}&d=x`,
      `https://deref-gmx.net/mail/client/x/dereferrer/?redirectUrl=${encoded}`,
      `https://www.google.com/url?q=${encoded}&source=gmail&ust=1&usg=x`,
      `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(`https://www.google.com/url?q=${encoded}`)}&data=x`,
    ];
    for (const link of wrapped) {
      expect(rewrite(`<a href="${link.replaceAll("&", "&amp;")}">x</a>`), link).to.equal(
        `<a href="${target}">x</a>`,
      );
      expect(rewrite(`<p>See ${link.replaceAll("&", "&amp;")}.</p>`), link).to.equal(`<p>See ${target}.</p>`);
    }
    expect(rewrite('<img src="https://ci3.googleusercontent.com/x#https://shop.example/a.png">')).to.contain(
      'src="https://shop.example/a.png"',
    );
    expect(rewrite('<img src="cid:logo%40home.example">')).to.contain('src="cid:renamed-19@masks.example"');
  });

  it("shows in tables and lists what is misplaced or not closed", () => {
    expect(rewrite("<table>a<tr>b<td>c<tr><th>d</table>e</td></tr>")).to.equal(
      "<table><tr><td>a</td></tr><tr><td>b</td><td>c</td></tr><tr><th>d</th></tr></table>e",
    );
    expect(rewrite("<ul><li>a<li>b<ul><li>c</ul></ul><p>d<div>e")).to.equal(
      "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><p>d</p><div>e</div>",
    );
    expect(rewrite(`${"<div>".repeat(1_000)}deep${"</div>".repeat(1_000)}after`)).to.match(/deep.*after$/s);
  });

  it("takes time in proportion to its length, whatever it consists of", () => {
    const pieces = [
      ..."<|<a |<div>|<a a=b |&#x40;|&not|<!--|<p><b>|<a>|<table>x|<td>|<ul><li>|<blockquote>|</b>|<script>".split(
        "|",
      ),
      ..."<svg><p>|<br>|x<b>y</b> |al<b>ice</b>@home.example<br>|<pre>\n|<form><tr>|http://x |<style>a{}</style>".split(
        "|",
      ),
      '<a href="http://x/?a=%2540">x</a>',
      '<i style="color:red;color:blue">x</i>',
      "Sent from my iPhone<br>",
    ];
    for (const piece of pieces)
      expectLinear(piece, Math.ceil(40_000 / piece.length), (times) => {
        rewrite(piece.repeat(times));
      });
    expectLinear("start and end tags", 5_000, (times) => {
      rewrite(`${"<b>".repeat(times)}${"</i>".repeat(times)}`);
    });
    expectLinear("attributes", 5_000, (times) => {
      rewrite(`<a ${Array.from({ length: times }, (_one, n) => `a${n}=1`).join(" ")}>x</a>`);
    });
    expectLinear("encodings", 20_000, (times) => {
      rewrite(`<a href="https://shop.example/${"%25".repeat(times)}40">x</a>`);
    });
    expectLinear("rules", 2_000, (times) => {
      rewrite(`<style>${".a{color:red}".repeat(times)}</style>${"<b class=a>x</b>".repeat(times)}`);
    });
  });

  it("grows at most a few times", () => {
    for (const piece of [
      "<",
      "&",
      '"',
      "<blockquote>x</blockquote>",
      "<td>",
      "<table>x</table>",
      "<b class=a>x</b>",
    ]) {
      const html = `<style>.a{${"margin:0 0 0 1px;font-size:3px;".repeat(20)}}</style>${piece.repeat(5_000)}`;
      expect(rewrite(html).length / html.length, piece).to.be.lessThan(6);
    }
  });
});
