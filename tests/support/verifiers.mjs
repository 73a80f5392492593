// The examples of docs/api.md that verify a webhook, as programs that say true or false.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

const page = readFileSync(inRoot("docs", "api.md"), "utf8");

/** The page's only block of code in this language that verifies a webhook. */
function block(language) {
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm"))].map(([, code]) => code);
  const found = blocks.filter((code) => code.includes("webhook-signature"));
  if (found.length !== 1) throw new Error(`docs/api.md has ${found.length} examples in ${language}`);
  return found[0];
}

const programs = {
  python: () => ["python3", ["-c", `${block("python")}${pythonEnd}`]],
  php: () => ["php", ["-r", `${block("php").replace("<?php", "")}${phpEnd}`]],
  js: () => [process.execPath, ["--input-type=module", "-e", `${block("js")}${jsEnd}`]],
};

const pythonEnd = `
import json, sys
given = json.load(sys.stdin)
print(json.dumps(verify(given["secret"], given["headers"], base64.b64decode(given["body"]))))
`;
const phpEnd = `
$given = json_decode(stream_get_contents(STDIN), true);
echo json_encode(verify($given["secret"], $given["headers"], base64_decode($given["body"])));
`;
const jsEnd = `
const { secret, headers, body } = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
console.log(verify(secret, headers, Buffer.from(body, "base64")));
`;

export const languages = Object.keys(programs);

/** Lets the example in this language verify what a receiver got. */
export function verify(language, secret, { headers, body }) {
  const [program, args] = programs[language]();
  const input = JSON.stringify({ secret, headers, body: body.toString("base64") });
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, encoding: "utf8" });
  if (error || status !== 0) throw new Error(`the example in ${language} failed: ${error ?? stderr}`);
  return JSON.parse(stdout);
}
