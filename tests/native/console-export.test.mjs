// How the console makes a file of the service one that Excel opens as it is, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFormat } from "../../console/src/format/format.ts";
import { numberOf } from "../../console/src/pages/compose/numbers.ts";
import { choiceCell, forExcel, phoneCell } from "../../console/src/pages/export/excel.ts";
import { readTable } from "../../console/src/pages/import/table.ts";

const columns = [
  { title: "شماره", cell: phoneCell },
  { title: "وضعیت", cell: choiceCell({ DELIVERED: "تحویل‌شده" }) },
  { title: "نام" },
];

test("a file has a byte order mark, titles of the language, and the cells of the person", async () => {
  const file =
    'number,status,name,city\n+989121234567,DELIVERED,"Ali, ""A""","a\nb"\n+971501234567,NEW,\'=1,\nerased,,,\n';
  assert.equal(
    await (await forExcel(new Blob(["\ufeff", file]), columns)).text(),
    [
      "شماره,وضعیت,نام,city",
      '"=""09121234567""",تحویل‌شده,"Ali, ""A""","a\nb"',
      '"=""+971501234567""",NEW,\'=1,',
      "erased,,,",
      "",
    ].join("\r\n"),
  );
  const bytes = new Uint8Array(await (await forExcel(new Blob([file]), columns)).arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
});

test("an import reads the numbers of such a file", async () => {
  const numbers = ["+989121234567", "+982188776655", "+971501234567"];
  const file = await forExcel(new Blob([["number", ...numbers].join("\n")]), columns);
  const [, ...rows] = (await readTable(await file.text())).rows;
  assert.deepEqual(
    rows.map(({ cells: [cell] }) => numberOf(cell)),
    numbers,
  );
});

test("a time stands in the person's zone and calendar, so that a spreadsheet can sort it", () => {
  const moment = "2026-11-29T18:05:00Z";
  const zone = process.env.TZ;
  process.env.TZ = "Asia/Tehran";
  assert.equal(makeFormat("fa", "persian").stamp(moment), "1405-09-08 21:35");
  assert.equal(makeFormat("en", "gregory").stamp("2026-11-29T20:35:00Z"), "2026-11-30 00:05");
  process.env.TZ = zone ?? "UTC";
});
