// How the console reads the tables that people import, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesOf, isScientific, numberOf, taken } from "../../console/src/pages/compose/numbers.ts";
import { portionOf, sortOut, withLandlines, withMended } from "../../console/src/pages/import/entries.ts";
import { OldWorkbook, readFile } from "../../console/src/pages/import/file.ts";
import {
  changed,
  faultAt,
  faultOf,
  guess,
  numberColumnsOf,
  withNumbersFrom,
} from "../../console/src/pages/import/mapping.ts";
import { NoText, readTable, textOf } from "../../console/src/pages/import/table.ts";
import { messyTable, workbookOf } from "../support/console-tables.mjs";

const cellsOf = async (text) => (await readTable(text)).rows.map(({ cells }) => cells);
const kindsOf = async (text) => {
  const { hasHeader, columns } = guess(await readTable(text));
  return [hasHeader, ...columns.map(({ kind, title }) => (kind === "attribute" ? title : kind))];
};
const sorted = async (text) => {
  const table = await readTable(text);
  const mapping = guess(table);
  return { ...(await sortOut(table, mapping, new AbortController().signal)), table, mapping };
};

test("tables come with any delimiter, line end, quotes and byte order mark", async () => {
  const expected = [
    ["a", "b"],
    ["1", "2"],
  ];
  for (const text of ["a,b\n1,2", "a;b\r\n1;2\r\n", "\ufeffa\tb\r1\t2", 'a,"b"\n\n"1", 2 \n,\n'])
    assert.deepEqual(await cellsOf(text), expected, JSON.stringify(text));
  assert.deepEqual(await cellsOf('"a, ""b""\nc",d\ne,"f" g'), [
    ['a, "b"\nc', "d"],
    ["e", "f g"],
  ]);
});

test("a bad quote refuses the file with the lines in which it opens and closes", async () => {
  for (const [text, line, closed] of [
    ['"Ali,1\nSara,2', 1],
    ['name,number\n\n"Ali\n1,Sara\n2', 3],
    ['number,name\n1,"Ali\n2,"Sara"\n', 2, 3],
    ['number,name\n1,"Ali\nReza" x\n', 2, 3],
    [`number\n"1\n${"2\n".repeat(2_000)}"`, 2],
  ])
    await assert.rejects(cellsOf(text), { line, closed }, text.slice(0, 40));
});

const readCells = async (bytes) => {
  const { table, sheet } = await readFile(new Blob([bytes]));
  return { sheet, rows: table.rows.map(({ cells, line }) => [line, ...cells]) };
};

test("a workbook of Excel is read as a table, with all digits of its numbers and the rows that it has", async () => {
  const rows = [
    ["نام", "موبایل", "خرید", "مبلغ"],
    ["علی, رضا", 9121234567, new Date("2026-11-29T00:00:00Z"), 12.5],
    [null, null, null, null],
    ['خانم "الف"\nدوم', "09351234567", new Date("2026-11-29T14:30:00Z"), 1e15],
  ];
  assert.deepEqual(await readCells(workbookOf({ Sheet1: rows })), {
    sheet: null,
    rows: [
      [1, "نام", "موبایل", "خرید", "مبلغ"],
      [2, "علی, رضا", "9121234567", "2026-11-29", "12.5"],
      [4, 'خانم "الف" دوم', "09351234567", "2026-11-29 14:30", "1000000000000000"],
    ],
  });
});

test("of a workbook with several sheets, the first with phone numbers is read and named", async () => {
  const sheets = { راهنما: [["این فایل را پر کنید"]], مشتریان: [["موبایل"], [9121234567]], خالی: [] };
  const { sheet, rows } = await readCells(workbookOf(sheets));
  assert.deepEqual([sheet, rows.length], ["مشتریان", 2]);
  assert.equal((await readCells(workbookOf({ خالی: [], یک: [["09121234567"]] }))).sheet, null);
});

test("what is no table is refused, and never read as one", async () => {
  await assert.rejects(readCells(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2])), OldWorkbook);
  for (const text of ["\ufeff <html><table>", "<?xml version='1.0'?>", "%PDF-1.7", "{\\rtf1", "0\x009\x001"])
    await assert.rejects(readCells(text), NoText, text);
  await assert.rejects(readCells(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 1, 2])));
  assert.deepEqual((await readCells("PK,number")).rows, [[1, "PK", "number"]]);
});

test("a row knows its line in the file", async () => {
  const { rows } = await readTable('a,b\r\n\r\n"c\r\nd",e\r\nf,g');
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 3, 5],
  );
});

test("files are read in UTF-8, in UTF-16, and in the old code page of Persian", async () => {
  const utf16 = new Uint8Array([0xff, 0xfe, ...new Uint8Array(new Uint16Array([0x633, 0x644]).buffer)]);
  for (const bytes of [new TextEncoder().encode("سل"), utf16, new Uint8Array([0xd3, 0xe1])])
    assert.equal(textOf(bytes), "سل");
});

test("columns are known by their titles and by what they have", async () => {
  assert.deepEqual(await kindsOf("Name,Mobile,City\nAli,09121234567,Tehran"), [true, "name", "number", "City"]);
  assert.deepEqual(await kindsOf("نام مشتری;شماره تماس;شهر\nعلی;09121234567;تهران"), [true, "name", "number", "شهر"]);
  assert.deepEqual(await kindsOf("x,09121234567,Ali"), [false, "name", "number", "none"]);
  assert.deepEqual(await kindsOf("1,09121234567,Ali"), [false, "none", "number", "name"]);
  assert.deepEqual(await kindsOf("09121234567\n09351234567"), [false, "number"]);
  assert.deepEqual(await kindsOf("tel,fax,reason,50%\n09121234567,x,y,z"), [true, "number", "fax", "none", "50"]);
});

test("mobiles go before landlines, whichever are more", async () => {
  const rows = "علی,02188776655,09121234567\nسارا,02188776656,\nرضا,02188776657,09351234567";
  assert.deepEqual(await kindsOf(`نام,تلفن,موبایل\n${rows}`), [true, "name", "none", "number"]);
  assert.deepEqual(await kindsOf(`نام,الف,ب\n${rows}`), [true, "name", "الف", "number"]);
  assert.deepEqual(await kindsOf(`name,tel,Mobile no.\nAli,02188776655,+971501234567`), [
    true,
    "name",
    "none",
    "number",
  ]);
  assert.deepEqual(await kindsOf("نام,تلفن,موبایل\nعلی,02188776655,"), [true, "name", "number", "none"]);
  assert.deepEqual(await kindsOf("id,تلفن,موبایل\n1,0912,x"), [true, "id", "number", "none"]);
});

test("of two columns of numbers the person may take one or both, and each of a row counts", async () => {
  const table = await readTable(
    "نام,تلفن,موبایل\nعلی,02188776655,09121234567\nسارا,02188776656,\nرضا,-,0912\nحسن,09361234567,09361234567",
  );
  const { hasHeader, columns } = guess(table);
  const found = numberColumnsOf(table, hasHeader);
  assert.deepEqual(found, [
    { place: 2, title: "موبایل" },
    { place: 1, title: "تلفن" },
  ]);
  const numbersFrom = async (places) => {
    const mapping = { hasHeader, columns: withNumbersFrom(columns, places) };
    const { entries, bad, double } = await sortOut(table, mapping, new AbortController().signal);
    return [
      [...entries.values()].map(({ number, name }) => `${name} ${number}`),
      bad.map(({ value }) => value),
      double,
    ];
  };
  assert.deepEqual(await numbersFrom([2]), [["علی +989121234567", "حسن +989361234567"], ["", "0912"], 0]);
  assert.deepEqual(await numbersFrom([1, 2]), [
    ["علی +982188776655", "علی +989121234567", "سارا +982188776656", "حسن +989361234567"],
    ["-"],
    0,
  ]);
  const both = { hasHeader: false, columns: ["name", "number", "number"].map((kind) => ({ kind, title: "" })) };
  const mixed = await readTable("a,02188776655,9.12E+09\nb,02188776656,0912\nc,02188776657,\nd,09121234567,x\ne,,-");
  const { bad } = await sortOut(mixed, both, new AbortController().signal);
  assert.deepEqual(
    bad.map(({ row, value }) => `${row.line} ${value}`),
    ["1 9.12E+09", "2 0912", "5 -"],
    "nobody is lost with a landline that is left out",
  );
  assert.deepEqual(numberColumnsOf(await readTable("نام,موبایل\nعلی,09121234567"), true).length, 1);
});

test("landlines are counted, and left out unless they are wanted", async () => {
  const all = await sorted("تلفن\n02188776655\n09121234567\n+971501234567\n021-8877 6655");
  const out = withLandlines(all, "out");
  assert.deepEqual([out.count, [...out.sorted.entries.keys()]], [1, ["+989121234567", "+971501234567"]]);
  const take = withLandlines(all, "take");
  assert.deepEqual([take.count, take.sorted.entries.size], [1, 3]);
  const pasted = entriesOf("02188776655\n09121234567").map(({ number }) => number);
  assert.deepEqual(taken(pasted, "out"), ["+989121234567"]);
  assert.deepEqual(taken(pasted, "take"), pasted);
});

test("numbers that a spreadsheet has marked as texts are read, and those that it has destroyed are told apart", async () => {
  for (const text of ["'09121234567", '="09121234567"', "9121234567.0", "۹۱۲۱۲۳۴۵۶۷"])
    assert.equal(numberOf(text), "+989121234567", text);
  for (const text of ["9.12E+09", "9٫12e9", "۹.۱۲E+۰۹", "9,89123E+11", "'9.12E+09", "+9.8912E+11"]) {
    assert.equal(numberOf(text), null, text);
    assert.ok(isScientific(text), text);
  }
  for (const text of ["0912", "E", "9.12", "e9", "12E4x"]) assert.ok(!isScientific(text), text);
  const excel = await sorted('sep=;\nنام;شماره\nعلی;"=""09121234567"""\nسارا;\'09351234567\nرضا;9.12E+09');
  assert.deepEqual([...excel.entries.keys()], ["+989121234567", "+989351234567"]);
  assert.deepEqual(
    excel.bad.map(({ value }) => value),
    ["9.12E+09"],
  );
  assert.deepEqual(await kindsOf("خرید,مشخصات,کد\n9,9.12E+09,1\n8,9.13E+09,2"), [true, "خرید", "number", "کد"]);
});

test("what a table is about may stand above its titles", async () => {
  const above = "مشتریان فروشگاه,,\n,,\n";
  const rows = "نام,موبایل,شهر\nعلی,0912,تهران\nسارا,09351234567,یزد";
  assert.deepEqual(await kindsOf(above + rows), [true, "name", "number", "شهر"]);
  const { entries, bad } = await sorted(above + rows);
  assert.deepEqual([[...entries.values()].map(({ name }) => name), bad.map(({ row }) => row.line)], [["سارا"], [4]]);
  assert.deepEqual(await kindsOf(`گزارش,۱۴۰۵\n${rows}`), [true, "name", "number", "شهر"]);
  assert.deepEqual(await kindsOf(`گزارش\nالف,ب\nعلی,09121234567`), [true, "الف", "number"]);
  assert.deepEqual(await kindsOf("مشتریان\nموبایل\n09121234567"), [true, "number"]);
});

test("a table has one column of numbers unless more are wanted, and attributes with titles of their own", () => {
  const columns = [
    { kind: "number", title: "" },
    { kind: "attribute", title: "city" },
    { kind: "attribute", title: "city" },
    { kind: "attribute", title: "Full_Name" },
    { kind: "attribute", title: " " },
  ];
  const faults = columns.map((_, place) => faultAt(columns, place));
  assert.deepEqual(faults, [undefined, undefined, "doubleTitle", "takenTitle", "noTitle"]);
  const moved = changed(columns, 1, { kind: "number", title: "city" });
  assert.deepEqual(
    moved.map(({ kind }) => kind),
    ["none", "number", "attribute", "attribute", "attribute"],
  );
  assert.equal(faultOf([{ kind: "none", title: "" }]), "noNumber");
  assert.equal(faultOf(columns.slice(0, 2)), undefined);
});

test("each number comes once, later rows fill it up, and what is no number can be mended", async () => {
  const { entries, bad, double, table, mapping } = await sorted(
    "name,mobile,city\nAli,09121234567,Tehran\n,+989121234567,Yazd\nSara,none,Qom",
  );
  const plain = (entries) => [...entries.values()].map(({ number, name, values }) => [number, name, ...values]);
  assert.deepEqual(plain(entries), [["+989121234567", "Ali", "Yazd"]]);
  assert.deepEqual([bad.length, bad[0].row.line, bad[0].value, double], [1, 4, "none", 1]);
  const mended = withMended({ entries, bad, double }, { 4: "0935 123 4567" }, mapping.columns);
  assert.deepEqual(plain(mended.entries)[1], ["+989351234567", "Sara", "Qom"]);
  assert.deepEqual([mended.bad, entries.size], [[], 1]);
  const stopped = AbortSignal.abort();
  assert.equal(await sortOut(table, mapping, stopped), null);
});

test("a portion is a file whose lines are known again", () => {
  const row = { cells: [], line: 1, from: 0, to: 0 };
  const entries = [
    { number: "+989121234567", name: 'Ali "A"', values: ["a,b\nc"], row },
    { number: "+989351234567", name: "", values: [""], row },
  ];
  const { text, lines } = portionOf(entries, ["city"]);
  assert.equal(text, 'number,name,city\n+989121234567,"Ali ""A""","a,b\nc"\n+989351234567,,\n');
  assert.deepEqual([...lines.keys()], [2, 4]);
});

test("20,000 messy lines are sorted as they were made", async () => {
  const { text, numbers, bad } = messyTable(20_000, 7);
  const found = await sorted(text);
  assert.deepEqual(new Set(found.entries.keys()), numbers);
  assert.deepEqual(
    found.bad.map(({ row }) => row.line),
    bad,
  );
  assert.equal(found.double, 20_000 - numbers.size - bad.length);
});
