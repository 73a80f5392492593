// How `npm run move` reads its command line and what other providers have.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { readArguments } from "../../scripts/lib/move/arguments.mjs";
import { titles } from "../../scripts/lib/move/columns.mjs";
import { entriesOf } from "../../scripts/lib/move/entries.mjs";
import { readKeys } from "../../scripts/lib/move/keys.mjs";
import { namesIn } from "../../scripts/lib/move/placeholders.mjs";
import { converted } from "../../scripts/lib/move/providers.mjs";
import { openTable } from "../../scripts/lib/move/table.mjs";
import { readTemplates } from "../../scripts/lib/move/templates.mjs";

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "peyk-move-"));
});
after(() => rm(folder, { recursive: true }));

function fileOf(content) {
  const file = join(folder, "table.csv");
  writeFileSync(file, content);
  return file;
}

const templates = (content, provider = "kavenegar") => readTemplates(fileOf(content), provider);

/** What is wrong with the lines of a table, by line. */
const faultsOf = async (content, provider) =>
  Object.fromEntries((await templates(content, provider)).bad.map(({ line, faults }) => [line, faults.join("; ")]));

const named = ({ patterns }) => patterns.map(({ line, slug, title, text }) => [line, slug, title, text]);

test("a table of templates is read in every form that spreadsheets write", async () => {
  const wanted = [
    [2, "login", "login", "code: %token%, bye"],
    [3, "order-sent", "order-sent", "سفارش %token% رفت"],
  ];
  const rows = (delimiter, end) =>
    [`name${delimiter}text`, `login${delimiter}"code: %token, bye"`, `order-sent${delimiter}سفارش %token رفت`].join(
      end,
    );
  for (const text of [rows(",", "\n"), rows(";", "\r\n"), rows("\t", "\r"), `\ufeff${rows(",", "\r\n")}\r\n`])
    assert.deepEqual(named(await templates(text)), wanted, JSON.stringify(text));
  const utf16 = Buffer.from(`\ufeff${rows("\t", "\r\n")}`, "utf16le");
  assert.deepEqual(named(await templates(utf16)), wanted);
});

test("a text keeps its quotes and line ends, and a line has its number in the file", async () => {
  const text = 'متن,عنوان,نام قالب\r\n\r\n"سلام ""%token"" \r\nخداحافظ",سلام,hello\r\nb,,second\r\n';
  assert.deepEqual(named(await templates(text)), [
    [3, "hello", "سلام", 'سلام "%token%" \nخداحافظ'],
    [5, "second", "second", "b"],
  ]);
});

test("columns are known by their titles in both languages, in any order, and the others are named", async () => {
  for (const titles of ["Template_Name,Text", "نام الگو,متن پیام", "slug,body", "نام‌قالب,متن", "قالب,متن پيامك"])
    assert.equal((await templates(`${titles},x\nlogin,a,b`)).patterns[0].slug, "login", titles);
  assert.deepEqual((await templates("status,text,name,title,description\nok,a,login,b,c")).unused, [
    "status",
    "description",
  ]);
  for (const [provider, titles] of [
    ["ippanel", "pattern_code,pattern_message"],
    ["ippanel", "کد پترن,متن پترن"],
    ["smsir", "templateId,text"],
    ["smsir", "شناسه قالب,متن"],
    ["twilio", "contentSid,body"],
    ["twilio", "sid,twilio/text"],
  ])
    assert.equal((await templates(`${titles}\n100000,a`, provider)).patterns[0].slug, "100000", titles);
  const [own] = (await templates("id,name,text\n100000,Login,a", "smsir")).patterns;
  assert.deepEqual([own.slug, own.title], ["100000", "Login"]);
});

test("the page about moving has the titles of the columns", () => {
  const page = readFileSync(inRoot("docs", "doors", "moving.md"), "utf8");
  for (const [provider, columns] of Object.entries(titles))
    for (const [column, known] of Object.entries(columns)) {
      const row = `| ${provider} | ${column} | \`${known.replaceAll(", ", "`, `")}\` |\n`;
      assert.ok(page.includes(row), row);
    }
});

test("a file without the columns, the lines or the form is refused as a whole", async () => {
  const refused = async (content, pattern, provider) => assert.rejects(templates(content, provider), pattern);
  await refused("", /the file has nothing in it/);
  await refused("name,text\n", /no line below the titles/);
  await refused("login,code: %token\nb,c", /names no column of the name\. One must be called: name, template/);
  await refused("name,نام,text\na,b,c", /names 2 columns of the name/);
  await refused("PK\u0003\u0004x", /is a workbook that can't be read \(.+\): save it as CSV/);
  await refused("<html><table>", /is no table: save it as CSV/);
  await refused('name,text\ngood,a\nopen,"a\nnext,b', /a quote of line 3 does not close: .*two quotes/);
  await assert.rejects(readTemplates(join(folder, "none.csv"), "kavenegar"), /can't be read: there is no such file/);
});

test("each fault of a line is told with its line, and the other lines are read", async () => {
  const long = "x".repeat(2_001);
  const many = Array.from({ length: 21 }, (_, at) => `%v${at}%`).join(" ");
  const table = [
    "name,text,title",
    "good,a",
    ",a",
    "ab,a",
    "no blanks,a",
    "کد,a",
    "empty,",
    "good,b",
    `long,${long}`,
    `titled,a,${"x".repeat(201)}`,
    "commas,a,b,c",
  ];
  const { patterns, bad } = await templates(table.join("\n"));
  assert.deepEqual(
    patterns.map(({ slug }) => slug),
    ["good"],
  );
  const told = Object.fromEntries(bad.map(({ line, faults }) => [line, faults.join("; ")]));
  assert.match(told[3], /^the name is empty$/);
  for (const [line, name] of Object.entries({ 4: "ab", 5: "no blanks", 6: "کد" }))
    assert.match(
      told[line],
      new RegExp(`^"${name}" can't be a pattern's name, .*: write another one here and in the program`),
    );
  assert.equal(told[7], "the text is empty");
  assert.match(told[8], /^line 2 has this name already/);
  assert.match(told[9], /more than 2000 characters/);
  assert.match(told[10], /title has more than 200/);
  assert.match(told[11], /it has 4 cells, and the first line 3: .* between quotes/);
  assert.deepEqual(await faultsOf(`code,text\nabc,${many}`, "ippanel"), { 2: "the text has more than 20 variables" });
});

/** The text of a pattern, or what is wrong with the template. */
function moved(provider, text) {
  const { text: own, faults } = converted(provider, text);
  return faults.length > 0 ? faults : own;
}

test("the tokens of Kavenegar become variables, with a percent sign behind them or without", () => {
  for (const [text, wanted] of [
    ["کد: %token", "کد: %token%"],
    ["%token %token2 %token3 %token10 %token20", "%token% %token2% %token3% %token10% %token20%"],
    ["%token10%", "%token10%"],
    ["%token%%token2%", "%token%%token2%"],
    ["%token%token2", "%token%%token2%"],
    ["%token20%token%", "%token20%%token%"],
    ["%tokenتومان", "%token%تومان"],
    ["50% off: %token.", "50% off: %token%."],
    ["%token% %", "%token% %"],
    ["no token", "no token"],
  ])
    assert.equal(moved("kavenegar", text), wanted, text);
  assert.match(moved("kavenegar", "%token30")[0], /^%token30 is none of the tokens of Kavenegar: token, token2/);
  assert.match(
    moved("kavenegar", "%TOKEN% %token")[0],
    /its percent signs make the placeholders %TOKEN%, %token% here/,
  );
  assert.match(moved("kavenegar", "%a%token")[0], /its percent signs make the placeholders %a%/);
});

test("placeholders of the others become variables of the names that their doors fill", () => {
  for (const [provider, text, wanted] of [
    ["smsir", "کد: #CODE# برای #Name#", "کد: %CODE% برای %Name%"],
    ["smsir", "#1 and # and #یک دو#", "#1 and # and #یک دو#"],
    ["ippanel", "%name%، کد %verification-code% 5% تا 10%", "%name%، کد %verification-code% 5% تا 10%"],
    ["ippanel", "10%-20% %a%", "10%-20% %a%"],
    ["twilio", "Hi {{1}}, {{ 2 }} of {{name}}", "Hi %_1%, %_2% of %name%"],
    ["twilio", "{{}} {1}", "{{}} {1}"],
  ])
    assert.equal(moved(provider, text), wanted, text);
  for (const [provider, text, name] of [
    ["smsir", "#12#", "12"],
    ["smsir", "#a.b#", "a.b"],
    ["ippanel", "کد %1%", "1"],
    ["ippanel", "%a.b% %c%", "a.b"],
    ["twilio", "{{1a}}", "1a"],
    ["twilio", `{{${"x".repeat(51)}}}`, "x".repeat(51)],
  ])
    assert.match(moved(provider, text)[0], new RegExp(`^"${name}" can't be a variable: take a letter`), text);
  assert.match(moved("smsir", "#CODE# %off%")[0], /make the placeholders %CODE%, %off%/);
});

test("placeholders are those that the service reads", () => {
  for (const [text, names] of [
    ["%a% %b-1% %_% %a%", ["a", "b-1", "_"]],
    ["50% off % %x%", ["x"]],
    ["5%%x%y%", ["x"]],
    ["%نام‌کاربر% %1a% %%", ["نام‌کاربر"]],
    [`%${"x".repeat(50)}% %${"y".repeat(51)}%`, ["x".repeat(50)]],
  ])
    assert.deepEqual(namesIn(text), names, text);
});

test("a table of numbers goes in portions that the service takes, and each line is known again", async () => {
  const rows = Array.from({ length: 4_500 }, (_, at) => `09${120_000_000 + at},n${at},"a\nb"`);
  const table = `موبایل,نام,شهر,علت\n${rows.join("\n")}\n0912,x,y,z\n09120000000,again,,`;
  const read = await entriesOf(await openTable(fileOf(table)), "numbers.csv");
  assert.deepEqual([read.entries.length, read.double], [4_500, 1]);
  assert.deepEqual(read.columns, [
    ["number", "موبایل"],
    ["name", "نام"],
    ["%شهر%", "شهر"],
  ]);
  assert.deepEqual(read.unused, ["علت"]);
  assert.deepEqual(read.bad, [{ line: 9_002, fault: '"0912" is not a valid phone number' }]);
  const portions = [...read.portions()];
  assert.deepEqual(
    portions.map(({ lines }) => lines.size),
    [2_000, 2_000, 500],
  );
  const second = portions[1];
  assert.equal(second.text.split("\n")[0], "number,name,شهر");
  assert.equal(second.lines.get(4).row.line, 2 + 2 * 2_001);
  await assert.rejects(entriesOf(await openTable(fileOf("a,b\nc,d")), "x.csv"), /x\.csv has no phone number/);
});

test("a table of keys tells its faults, and never shows a key", async () => {
  const key = (letter) => letter.repeat(40);
  const table = [
    "account;key;title;scopes",
    `shop;${key("a")};app;sms:send, sms:read`,
    `shop;${key("b")};cron;`,
    `shop;${key("a")};again;`,
    `;${key("c")};t;`,
    `shop;short;t;`,
    `shop;${key("d")};;`,
    `shop;${key("e")};t;${key("f")}`,
    `${key("g")};shop;t;`,
  ];
  const { keys, bad } = await readKeys(fileOf(table.join("\n")));
  assert.deepEqual(
    keys.map(({ line, account, scopes }) => [line, account, scopes]),
    [
      [2, "shop", ["sms:send", "sms:read"]],
      [3, "shop", []],
    ],
  );
  assert.deepEqual(
    bad.map(({ line }) => line),
    [4, 5, 6, 7, 8, 9],
  );
  const text = JSON.stringify(bad);
  for (const letter of "abcdefg") assert.doesNotMatch(text, new RegExp(letter.repeat(17)));
  await assert.rejects(
    readKeys(fileOf(`shop,${key("a")},t\nshop,${key("b")},t`)),
    ({ message }) => /names no column of the account/.test(message) && !message.includes("aaaa"),
  );
});

const environment = { PEYK_URL: "https://sms.example.com/", PEYK_API_KEY: "peyk_live_x", INIT_CWD: "/home/shop" };

test("the address and the key come from the environment, and the file from where npm was called", () => {
  assert.deepEqual(readArguments(["kavenegar", "a.csv", "--go"], environment), {
    what: "kavenegar",
    file: "/home/shop/a.csv",
    go: true,
    name: undefined,
    url: "https://sms.example.com",
    key: "peyk_live_x",
  });
  assert.equal(readArguments(["phonebook", "/n.csv", "--name", " Customers "], environment).name, "Customers");
  const local = { ...environment, PEYK_URL: "http://127.0.0.1:8787" };
  assert.equal(readArguments(["keys", "a"], local).url, "http://127.0.0.1:8787");
});

test("what is wrong with the command line or the environment is told at once", () => {
  const told = (args, env = environment) => {
    try {
      return readArguments(args, env);
    } catch ({ message }) {
      return message;
    }
  };
  assert.match(told([]), /say first what to move: kavenegar, ippanel, smsir, twilio, phonebook, keys\n +name a file\n/);
  assert.match(told(["melipayamak", "a"]), /say first what to move/);
  assert.match(told(["keys", "a", "b"]), /one file at a time: "b"/);
  assert.match(told(["phonebook", "a"]), /needs its title: --name/);
  assert.match(told(["keys", "a", "--name", "x"]), /--name is for a phonebook only/);
  assert.match(told(["keys", "a", "--key", "x"]), /Unknown option '--key'/);
  assert.match(told(["keys", "a"], {}), /PEYK_URL is not set.*\n +PEYK_API_KEY is not set/);
  for (const url of ["sms.example.com", "http://sms.example.com", "https://a:b@sms.example.com", "ftp://127.0.0.1"])
    assert.match(told(["keys", "a"], { ...environment, PEYK_URL: url }), /PEYK_URL must be an address/, url);
  assert.match(told(["keys", "a"], { ...environment, PEYK_API_KEY: "peyk_test_x" }), /is a test key/);
  assert.match(told(["keys", "a"], { ...environment, PEYK_API_KEY: "a b" }), /is not an API key/);
});
