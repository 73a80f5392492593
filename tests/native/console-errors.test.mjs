// What the console says of the errors of the service, without a browser. `site/problems.json` has each of them, as the service says it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { en } from "../../console/messages/en.ts";
import { fa } from "../../console/messages/fa.ts";
import { Problem, problemOf, Unserved } from "../../console/src/api/problem.ts";
import { makeFormat } from "../../console/src/format/format.ts";
import { faultIn, saidOf } from "../../console/src/parts/said.ts";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

const texts = { en, fa };
const formats = { en: makeFormat("en", "gregory"), fa: makeFormat("fa", "persian") };
const owner = { isOperator: false, role: "OWNER" };
const said = (language, problem, reader = owner) =>
  saidOf(
    { t: texts[language], format: formats[language], span: (seconds) => formats[language].number(seconds), reader },
    problem,
  );

const problems = JSON.parse(readFileSync(inRoot("site", "problems.json"), "utf8"));
const told = problems.flatMap(({ code, example, details }) =>
  ["en", "fa"].flatMap((language) => [
    { language, problem: example[language] },
    ...details.map((detail) => ({ language, problem: { ...example[language], code, detail: detail[language] } })),
  ]),
);

/** What a shop has no word for: members, headers, routes, regular expressions, statuses, and the code of the rial in Persian. */
const foreign =
  /[0-9a-f]{8}-|`|\b(?:GET|POST|PUT|DELETE) \/|Idempotency|Authorization|X-Peyk|X-Request|Content-Type|JSON|UTF-8|\[[^\]]*\]|\bsourceNumber\b|\bvariables\.|\brecipients?:|_ACCOUNT|\bRUNNING\b|AS_IS/;

test("no error speaks to a customer of what only programs know", () => {
  assert.ok(told.length > 200, `${told.length}`);
  for (const { language, problem } of told) {
    const text = said(language, problem);
    assert.doesNotMatch(text, foreign, problem.detail);
    assert.doesNotMatch(text, /undefined|NaN/, problem.detail);
    assert.ok(text.length > 5, problem.detail);
    if (language === "fa") assert.doesNotMatch(text, /IRR|[0-9]/, problem.detail);
  }
});

test("a member never hears of keys, and hears what the role may", () => {
  const [forbidden] = told.filter(({ language, problem }) => language === "fa" && problem.code === 403);
  const text = said("fa", forbidden.problem, { isOperator: false, role: "VIEWER" });
  assert.equal(text, fa.state.needsRole(fa.roles.VIEWER.name, fa.roles.VIEWER.may));
  for (const { language, problem } of told.filter(({ problem }) => [401, 429, 2002].includes(problem.code)))
    assert.doesNotMatch(
      said(language, problem, { isOperator: false, role: "SENDER" }),
      /\bkeys?\b|کلید/,
      problem.detail,
    );
});

test("money, numbers and limits stand as the person reads them", () => {
  const noCredit = { code: 2001, errors: [], detail: "this takes 2000 IRR, but only 5 IRR is available." };
  assert.equal(said("fa", noCredit), fa.problems.noCredit("۲٬۰۰۰ ریال", "۵ ریال"));
  const spent = {
    code: 2002,
    errors: [],
    detail: "The send costs 2500; 99000 of the 100000 that may be spent. 00:00 UTC.",
  };
  assert.match(said("en", spent), /^This costs 2,500, and 99,000 of the 100,000 for today are spent\. It goes on at /);
  const errors = [
    { pointer: "/recipients/0", detail: "شماره‌ی +971501234567 خارج از مقصدهای مجاز حساب است" },
    { pointer: "/recipients/1", detail: "شماره‌ی +989121234567 خارج از مقصدهای مجاز حساب است" },
  ];
  const text = said("fa", { code: 3017, detail: "", errors });
  assert.ok(text.includes("\u2066+۹۷۱۵۰۱۲۳۴۵۶۷\u2069"), text);
  assert.ok(text.includes("\u2066۰۹۱۲ ۱۲۳ ۴۵۶۷\u2069") && text.endsWith(fa.problems.destination), text);
  assert.equal(
    said("en", { code: 429, errors: [], detail: "try again in 240 s." }),
    `${en.problems.tooMany} ${en.problems.wait("240")}`,
  );
  assert.equal(
    said("fa", { code: 429, errors: [], detail: "5 ثانیه‌ی دیگر" }),
    `${fa.problems.tooMany} ${fa.problems.wait("۵")}`,
  );
});

test("what is wrong with a value is told with the label of its field", () => {
  const fault = (pointer, detail, code = 422) => ({
    code,
    detail: `${pointer}: ${detail}`,
    errors: [{ pointer, detail }],
  });
  const missing = fault("/phonebook/phonebooks", "is required");
  assert.equal(said("en", missing), "Phonebooks: is required");
  assert.equal(said("fa", fault("/variables/OTP", "باید عدد باشد", 3015)), "\u2068OTP\u2069: باید عدد باشد");
  const slug = "must be of the form [A-Za-z0-9_-]{1,64}";
  assert.equal(said("en", fault("/slug", slug)), `Slug: ${en.problems.form("\u2066_ -\u2069", "1", "64")}`);
  assert.equal(faultIn(fa, "باید به شکل [a-z0-9-]{2,32} باشد"), fa.problems.smallForm("\u2066-\u2069", "2", "32"));
  assert.equal(said("en", fault("/status", "must be one of QUEUED, DONE")), `Status: ${en.problems.unfit}`);
  assert.equal(said("en", fault("/oddity", "is too long")), `${en.problems.value}: is too long`);
  const many = ["a", "b", "c", "d", "e"].map((name) => ({ pointer: `/variables/${name}`, detail: "is missing" }));
  assert.ok(said("en", { code: 422, detail: "", errors: many }).endsWith(en.problems.others("2")));
  const operator = { isOperator: true, role: null };
  assert.equal(
    said("en", fault("/tariff/price", "must be one of A, B"), operator),
    "\u2066tariff.price\u2069: must be one of A, B",
  );
});

test("a placeholder for the name is called as the console calls it, and a variable of a pattern as its owner does", () => {
  const detail = "شهر ندارد؛ جاهای خالی: %city%, %name%";
  const at = (pointer) => said("fa", { code: 422, detail, errors: [{ pointer, detail }] });
  assert.match(at("/phonebook/message"), /%city%, %نام%$/);
  assert.match(at("/text"), /%name%$/);
});

test("of a line the person hears what to do with it", () => {
  const of = (detail) => said("fa", { code: 3012, errors: [], detail });
  const details = told.filter(({ language, problem }) => language === "fa" && problem.code === 3012);
  const texts = new Set(details.map(({ problem }) => of(problem.detail)));
  const line = "\u2066۱۰۰۰۱\u2069";
  for (const text of [fa.problems.noLine, fa.problems.otherLine(line), fa.problems.serviceLine(line)])
    assert.ok(texts.has(text), [...texts].join("\n"));
});

test("what stands against something is named by no id", () => {
  const detail =
    "Campaigns read it; wait until they end: 01a1fbea-28d3-76e2-b118-9e403e3ade62, 01a1fbea-28d3-76e2-b118-9e403e3ade63.";
  assert.equal(said("en", { code: 409, errors: [], detail }), "Campaigns read it; wait until they end.");
  const state = "The campaign is RUNNING, and can't do this. Pause it first, or cancel it.";
  assert.equal(said("en", { code: 409, errors: [], detail: state }), en.problems.conflict);
});

test("a repeat with another text says that the first may have gone", () => {
  const errors = [{ pointer: "/Idempotency-Key", detail: "was used for another request before" }];
  assert.equal(said("en", { code: 422, detail: "", errors }), en.compose.unanswered);
});

test("an answer that is not Peyk's is told apart from a connection that is down", async () => {
  const busy = await problemOf(new Response("<html>", { status: 503 }), "POST");
  assert.ok(busy instanceof Unserved && busy.status === 503 && busy.isChange);
  const read = await problemOf(Response.json({ detail: "x", status: 404 }, { status: 404 }), "GET");
  assert.ok(read instanceof Problem && !read.isChange);
});
