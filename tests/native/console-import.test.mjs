// How the console reads the tables that people import, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { portionOf, sortOut, withMended } from "../../console/src/pages/import/entries.ts";
import { changed, faultAt, faultOf, guess } from "../../console/src/pages/import/mapping.ts";
import { readTable, textOf, Workbook } from "../../console/src/pages/import/table.ts";
import { messyTable } from "../support/console-tables.mjs";

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

test("a workbook of Excel is known by how it begins", async () => {
  for (const begin of [
    [0x50, 0x4b, 0x03, 0x04],
    [0xd0, 0xcf, 0x11, 0xe0],
  ])
    await assert.rejects(textOf(new Blob([new Uint8Array([...begin, 1, 2])])), Workbook);
  assert.equal(await textOf(new Blob(["PK,number"])), "PK,number");
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
    assert.equal((await textOf(new Blob([bytes]))).replace("\ufeff", ""), "سل");
});

test("columns are known by their titles and by what they have", async () => {
  assert.deepEqual(await kindsOf("Name,Mobile,City\nAli,09121234567,Tehran"), [true, "name", "number", "City"]);
  assert.deepEqual(await kindsOf("نام مشتری;شماره تماس;شهر\nعلی;09121234567;تهران"), [true, "name", "number", "شهر"]);
  assert.deepEqual(await kindsOf("x,09121234567,Ali"), [false, "name", "number", "none"]);
  assert.deepEqual(await kindsOf("1,09121234567,Ali"), [false, "none", "number", "name"]);
  assert.deepEqual(await kindsOf("09121234567\n09351234567"), [false, "number"]);
  assert.deepEqual(await kindsOf("tel,fax,reason,50%\n09121234567,x,y,z"), [true, "number", "fax", "none", "50"]);
});

test("a table has one column of numbers, and attributes with titles of their own", () => {
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
