import { expect } from "chai";
import { applyEdits } from "../../../../server/mime/quotedPrintable.ts";
import { findTracking } from "../../../../server/relay/trackers/trackersInHtml.ts";
import { expectLinear } from "../../../support/linearTime.ts";

const clean = (html: string): string => applyEdits(html, findTracking(html) ?? []);

const t = "https://t.test/a.gif";

const expectNone = (cases: readonly string[]): void => {
  for (const html of cases) expect(clean(html), html).not.to.include("t.test");
};

const expectUnchanged = (cases: readonly string[]): void => {
  for (const html of cases) expect(clean(html), html).to.equal(html);
};

const sheet = (css: string): string => `<style>${css}</style>`;

describe("Pictures that nobody sees", () => {
  it("go however a browser reads them", () => {
    expectNone([
      `<img src="https&#58;//t.test/a" width=1 height=1>`,
      `<img src="ht\ttps://t.test/a" width="1" height="1">`,
      `<img src="\r\n https:/\r\n/t.test/a" width="1" height="1">`,
      `<img src="https:\\\\t.test/a" width="1" height="1">`,
      `<img/src="${t}"/width=1/height=1>`,
      `<img src='${t}'width='1'height='1'>`,
      `<img alt=">" src="${t}" width=1 height=1>`,
      `<img srcset="${t} 1x" width="&#49;" height="&#49;">`,
      `<img src="cid:a" srcset="cid:a 1x, ${t} 2x" width=1 height=1>`,
      `<picture><source srcset="${t} 1x"><img src="cid:a" width=1 height=1></picture>`,
      `<image src="${t}" width=1 height=1>`,
      `<input type=IMAGE src="${t}" width=1>`,
      `<base href="https://u.test/"><img src="t.test.gif" width=1 height=1>`,
      `<noscript><img src="${t}" width=1 height=1></noscript>`,
      `<svg><title><img src="${t}"></title></svg>`,
      `<!--[if mso]><td><img src="${t}" width=1 height=1></td><![endif]-->`,
      `<a href="https://shop.test/"><img src="${t}" width=1 height=1>`,
    ]);
  });

  it("go in each way to hide one", () => {
    expectNone(
      [
        "hidden",
        `style="display:none"`,
        `style="DISPLAY : None !important"`,
        `style="d\\69splay:none"`,
        `style="display/**/:none"`,
        `style="disp&#108;ay:none"`,
        `style="visibility:hidden"`,
        `style="visibility:collapse"`,
        `style="opacity:0"`,
        `style="opacity:.0%"`,
        `style="width:1px;height:1px"`,
        `style="max-width:0"`,
        `style="inline-size:1px;block-size:1px"`,
        `style="width:0.75pt;height:.05em"`,
        `style="height:calc(1px);width:calc( 1px )"`,
        `width=0`,
        `height=" 0"`,
        `width=1`,
        `width=01 height=+1`,
        `width=1.0px height=1px`,
        `style="position:absolute;left:-9999px"`,
        `style="margin-top:-100em"`,
        `style="position:absolute;clip:rect(0,0,0,0)"`,
        `style="clip-path:inset(50%)"`,
        `style="transform:scale(0)"`,
        `style="transform:translateX(9px) scale( 0, 1)"`,
      ].map((hidden) => `<p>a<img ${hidden} src="${t}">`),
    );
  });

  it("go inside of what is hidden", () => {
    const image = `<img src="${t}" width=300 height=200>`;
    expectNone([
      `<div style="display:none">${image}</div>`,
      `<div hidden><p><b>${image}</div>`,
      `<div style="visibility:hidden"><p>${image}</p></div>`,
      `<div style="opacity:0"><table><tr><td>${image}</table></div>`,
      `<div style="width:1px;height:1px;overflow:hidden">${image}</div>`,
      `<div style="max-height:0;overflow:hidden">${image}</div>`,
      `<b style="display:none"><p>a${image}</b>`,
      `<p><b style="display:none">a</p><p>${image}`,
      `<dialog>${image}</dialog>`,
      `<datalist>${image}</datalist>`,
      `<canvas>${image}</canvas>`,
    ]);
  });

  it("go when a style sheet hides them", () => {
    expectNone([
      `${sheet(".h{display:none}")}<img class="a h" src="${t}">`,
      `${sheet("#h{width:1px;height:1px}")}<img id=h src="${t}">`,
      `${sheet("<!-- td > .h , x{opacity:0} -->")}<table><td><img class=h src="${t}"></table>`,
      `${sheet(".o div.h{visibility:hidden}")}<div class=o><p><div class=h><img src="${t}"></div></div>`,
      `${sheet("img[width='7']{display:none}")}<img width=7 src="${t}">`,
      `${sheet("@media screen{.h{display:none}}")}<img class=h src="${t}">`,
      `${sheet(".h{display:block}.h{display:none}")}<img class=h src="${t}">`,
      `${sheet("img{display:block}")}<img style="display:none" src="${t}">`,
      `${sheet("@media (max-width:9em){img{width:100%!important}}")}<img width=1 height=1 src="${t}">`,
      `<img class=h src="${t}">${sheet("\\.h{} .\\68 {display:none}")}`,
    ]);
  });

  it("stay where somebody may see them", () => {
    const image = `<img src="${t}" width=300 height=200 class="h">`;
    expectUnchanged([
      image,
      `<img src="${t}">`,
      `<img src="${t}" width="600" height="1">`,
      `<img src="${t}" width="1%">`,
      `<img src="cid:a" width=1 height=1>`,
      `<img src="data:image/gif;base64,R0lGOD" width=1 height=1>`,
      `<img src="a.gif" width=1 height=1>`,
      `<!-- <img src="${t}" width=1 height=1> -->`,
      `<xmp><img src="${t}" width=1 height=1></xmp>`,
      `<textarea><img src="${t}" width=1 height=1></textarea>`,
      `<p title='<img src="${t}" width=1 height=1>'>`,
      `<p style="display:none">a<p>${image}`,
      `<table style="display:none">${image}</table>`,
      `<div style="display:none"></div>${image}`,
      `<div style="visibility:hidden"><p style="visibility:visible">${image}</p></div>`,
      `<td style="overflow:hidden;height:1px">${image}</td>`,
      `${sheet("@media (max-width:600px){.h{display:none}}")}${image}`,
      `${sheet("@media print{.h{display:none}}")}${image}`,
      `${sheet("a:hover .h, .h:not(.x), i + .h, .g .h{display:none}")}${image}`,
      `${sheet(".h{display:none}.h{display:inline}")}${image}`,
      `${sheet("/*.h{display:none}*/ .g{content:'.h{display:none}'}")}${image}`,
      `${sheet("@media (max-width:600px){.h{display:block!important}}")}<div class=h style="display:none">${image}</div>`,
    ]);
  });
});

describe("What else a mail loads unseen", () => {
  it("goes, and the text around stays", () => {
    const cases: readonly (readonly [string, string])[] = [
      [`<div style="background:url(${t})">a</div>`, `<div style="background:none">a</div>`],
      [
        `<p style="color:#111;background:#fff url('${t}') no-repeat">a`,
        `<p style="color:#111;background:#fff none no-repeat">a`,
      ],
      [
        `<p style="font-family:&quot;A&quot;;background:u\\72l(&quot;${t}?a=1&amp;b=2&quot;);x:&quot;">`,
        `<p style="font-family:&quot;A&quot;;background:none;x:&quot;">`,
      ],
      [
        `<p style="background:image-set('${t}' 1x, url(${t}) 2x);color:red">`,
        `<p style="background:none;color:red">`,
      ],
      [`<p style="background&colon;url(${t})" id=a>`, "<p  id=a>"],
      [`<ul style="list-style:square url(  ${t}  )">`, `<ul style="list-style:square none">`],
      [`<table background="${t}" border=0>`, "<table  border=0>"],
      [`<body bgcolor=red background='${t}'>`, "<body bgcolor=red >"],
      [`<video poster="${t}"></video>`, "<video ></video>"],
      [`<audio src="${t}"><source src="${t}"></audio>`, "<audio ><source ></audio>"],
      [`<iframe src="${t}"></iframe>`, "<iframe ></iframe>"],
      [`<iframe srcdoc="<img src=${t}>"></iframe>`, "<iframe ></iframe>"],
      [`<iframe src="data:text/html,<img src=${t}>">`, "<iframe >"],
      [`<object data="${t}" width=1>a</object>`, "<object  width=1>a</object>"],
      [`<embed src="${t}">`, "<embed >"],
      [`<script src="${t}"></script>`, "<script ></script>"],
      [`<link rel=stylesheet href="${t}">`, "<link rel=stylesheet >"],
      [`<meta http-equiv=Refresh content="0;url=${t}">`, "<meta http-equiv=Refresh >"],
      [`<a href="https://shop.test/" ping="${t}">b</a>`, `<a href="https://shop.test/" >b</a>`],
      [`<svg><image xlink:href="${t}" width=9 /></svg>`, "<svg><image  width=9 /></svg>"],
      [`<svg><rect fill="url(${t}#a)"/></svg>`, "<svg><rect /></svg>"],
      [`<svg><style>@import &quot;${t}&quot;;</style></svg>`, "<svg><style></style></svg>"],
      [sheet(`@import "${t}"; p{color:red}`), sheet(" p{color:red}")],
      [sheet(`@im\\port url( "${t}" ) screen;p{color:red}`), sheet("p{color:red}")],
      [sheet(`@import 'data:text/css,@import "${t}"'`), sheet("")],
      [sheet(`p{background:url(${t});color:red}`), sheet("p{background:none;color:red}")],
      [
        sheet(`@font-face{font-family:a;src:url("${t}") format("woff")}`),
        sheet(`@font-face{font-family:a;src:none format("woff")}`),
      ],
      [
        sheet(`<!-- @media print{p:after{content:URL(${t})}} -->`),
        sheet("<!-- @media print{p:after{content:none}} -->"),
      ],
    ];
    for (const [html, expected] of cases) expect(clean(html), html).to.equal(expected);
  });

  it("does not begin to load when a picture goes that ended what is around it", () => {
    const cases: readonly (readonly [string, string])[] = [
      [
        `<p>a<svg><img src="${t}" width=1><image href="${t}" width=1></svg>`,
        `<p>a<svg><img><image href="${t}" width=1></svg>`,
      ],
      [
        `<select><input type=image src="${t}" width=1><plaintext></select><img src="${t}" width=1>`,
        `<select><input type=image hidden><plaintext></select><img src="${t}" width=1>`,
      ],
      [
        `<img src="${t}" width=1><frameset><plaintext></frameset><img src="${t}" width=1>`,
        `<img><frameset><plaintext></frameset><img src="${t}" width=1>`,
      ],
    ];
    for (const [html, expected] of cases) {
      expect(clean(html)).to.equal(expected);
      expect(clean(expected)).to.equal(expected);
    }
  });

  it("does not begin to load when what stands around it is joined, or said twice", () => {
    const cases: readonly (readonly [string, string])[] = [
      [`<<img src="${t}" width=1>img src="${t}" width=1>`, `< img src="${t}" width=1>`],
      [
        `<<<img src="${t}" width=1><img src="${t}" width=1>img src="${t}" width=1>`,
        `<< img src="${t}" width=1>`,
      ],
      [sheet(`a{background:u@import "${t}";rl(${t})}`), sheet(`a{background:u rl(${t})}`)],
      [`<table background="${t}" BACKGROUND="${t}">`, `<table background="" BACKGROUND="${t}">`],
    ];
    for (const [html, expected] of cases) {
      expect(clean(html)).to.equal(expected);
      expect(clean(expected)).to.equal(expected);
    }
  });

  it("goes from attributes of drawings that have capitals", () => {
    expect(clean(`<p>a<svg patterntransform="url(//t.test/a)" width=9>`)).to.equal("<p>a<svg  width=9>");
  });

  it("does not count where nothing is loaded, or a picture of some size is seen", () => {
    expectUnchanged([
      `<td background="${t}" width="600" height="400">a`,
      `<div style="background:url(${t});width:600px;height:200px">a</div>`,
      `<video poster="${t}" src="${t}" width=320 height=200></video>`,
      `<div style="background:url(cid:a)">a</div>`,
      `<div style="filter:url(#a);content:'url(${t})'">a</div>`,
      `<p title="url(${t})">url(${t}) @import "${t}"</p>`,
      sheet(`/* url(${t}) @import "${t}"; */ @namespace url(${t}); p{content:"@import '${t}'"}`),
      `<blockquote cite="${t}">a</blockquote>`,
      `<form action="${t}"><input name=src value="${t}"></form>`,
      `<meta name=description content="${t}">`,
      `<link href="cid:a"><iframe src="about:blank"></iframe>`,
    ]);
  });

  it("does not keep the rest of the mail from staying as it was", () => {
    const rest = `<P  ALIGN='left'>gr\u00fc\u00df &nbsp;&copy\r\n<br/><a HREF = https://shop.test/?a=1&b=2 >x</A></p\n>`;
    expect(clean(`${rest}<img src=${t} width=1 height=1>${rest}<table background=${t}>${rest}`)).to.equal(
      `${rest}${rest}<table >${rest}`,
    );
  });
});

describe("Links that track", () => {
  it("are read as a browser reads them, and written as they were where nothing tracks", () => {
    const cases: readonly (readonly [string, string])[] = [
      [`<a href="https://a.test/?x=1&amp;utm_source=m">`, `<a href="https://a.test/?x=1">`],
      [`<a/href=https://a.test/?utm_source=m>`, "<a/href=https://a.test/>"],
      [`<a href="ht\ntps://a.test/?utm_source=m&#38;x=1">`, `<a href="https://a.test/?x=1">`],
      [`<a href="https&#58;//a.test/?utm&#95;source=m&x='1'">`, `<a href="https://a.test/?x=%271%27">`],
      [`<a href="https&#58;//a.test/?x=&#49;">`, `<a href="https&#58;//a.test/?x=&#49;">`],
    ];
    for (const [html, expected] of cases) expect(clean(html), html).to.equal(expected);
  });
});

describe("Hostile HTML", () => {
  const pieces: Readonly<Record<string, string>> = {
    "tags that stay open": "<b a=1><p>",
    "tables in tables": "<table><td>",
    "elements that are hidden": "<div hidden><img src=//t/a></div>",
    "formatting that is closed elsewhere": "<p><b><i></p></b>",
    "rows outside of tables": "<table><a href=//a>",
    attributes: "<a",
    "rules of style": "<style>.a .b>.c{display:none;width:1px}</style><p class=a>",
    "style in an attribute": `<p style="background:url(`,
    "escapes in style": `<p style="width:\\61 \\62;background:url(\\61\\62">`,
    "blanks in style": "<style>a{b:url(        ",
    "functions in style": "<style>image-set(",
    "references in attributes": `<p style="width:1px;background:url(&quot;`,
    "conditional comments": "<!--[if mso]><img src=//t/a><![endif]-->",
    "ends of tags": "</p></b></td>",
    "sets of pictures": `<img srcset=",,, `,
  };
  for (const [name, piece] of Object.entries(pieces))
    it(`takes linear time: ${name}`, () => {
      expectLinear(name, Math.ceil(200_000 / piece.length), (times) => {
        findTracking(`<img src=//t/a>${piece.repeat(times)}`);
      });
    });

  it("takes linear time: pictures and sources in one picture", () => {
    expectLinear("sources", 2_000, (times) => {
      const html = `<picture>${`<source srcset="${t}">`.repeat(times)}${`<img src="${t}" width=1>`.repeat(times)}`;
      expect(findTracking(html)).to.have.lengthOf(2 * times);
    });
  });

  it("takes linear time: selectors of long attributes", () => {
    for (const [selector, text] of [
      ["[a~=b]", "a "],
      ["[a*=aaab]", "a"],
    ] as const)
      expectLinear(selector, 1_500, (times) => {
        const css = sheet(`${selector}{display:none}`.repeat(times));
        findTracking(`${css}<img src="${t}" a="${text.repeat(100 * times)}">`);
      });
  });

  it("with more elements or levels than a browser shows stays as it is", () => {
    expect(findTracking(`${"<div>".repeat(600)}<img src=${t}>`)).to.equal(null);
    expect(findTracking(`${"<br>".repeat(110_000)}<img src=${t}>`)).to.equal(null);
    expect(findTracking(`${"<div>".repeat(400)}<img src=${t} width=1>`)).to.have.lengthOf(1);
  });
});
