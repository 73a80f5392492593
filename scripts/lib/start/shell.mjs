// The file by which a shell has the keys of the demo, and the short commands of the README's examples.
import { join } from "node:path";
import { writeSecret } from "../base/keys.mjs";

/** Writes the file anew, with the address of now. Returns its path. */
export function writeShell(stateDir, demo) {
  const file = join(stateDir, "demo.sh");
  writeSecret(file, shellOf(demo));
  return file;
}

const shellOf = ({
  baseUrl,
  apiKey,
  testKey,
  adminKey,
}) => `# \`npm start\` writes this file. A shell reads it by a dot: . ./demo.sh
BASE=${baseUrl}
KEY=${apiKey}
TEST_KEY=${testKey}
ADMIN_KEY=${adminKey}
# The client libraries of the examples look here.
export PEYK_URL=$BASE PEYK_API_KEY=$KEY PEYK_TEST_KEY=$TEST_KEY

# asks KEY METHOD PATH [BODY]
asks() { curl -s -X "$2" "$BASE$3" -H "Authorization: Bearer $1" -H 'Content-Type: application/json' \${4:+-d "$4"}; }
# call METHOD PATH [BODY], as the account; admin METHOD PATH [BODY], as an operator, below /admin
call() { asks "$KEY" "$@"; }
admin() { asks "$ADMIN_KEY" "$1" "/admin$2" \${3:+"$3"}; }
# The id in an answer. An error is shown.
id() { node -e 'const text = fs.readFileSync(0, "utf8"), { data } = JSON.parse(text); console[data ? "log" : "error"](data?.id ?? text); process.exitCode = data ? 0 : 1'; }
`;
