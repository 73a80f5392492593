// What the texts of the console say of each other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { en } from "../../console/messages/en.ts";
import { fa } from "../../console/messages/fa.ts";

test("who is to press a button reads its own words", () => {
  for (const { campaign, campaigns } of [en, fa])
    for (const button of [campaign.start, campaign.startLater]) {
      const [begin] = button("…").split("…");
      assert.ok(campaigns.meaning.DRAFT.includes(`${begin}…`), campaigns.meaning.DRAFT);
    }
});
