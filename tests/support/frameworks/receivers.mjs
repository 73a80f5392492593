// The receivers of the guide to frameworks, each in its framework or language.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exec, finished } from "../../../scripts/lib/base/command.mjs";
import { cacheDir, inRoot } from "../../../scripts/lib/base/paths.mjs";
import { libraries, runProgram, withReceiverOf } from "../client-libraries.mjs";
import { until } from "../server.mjs";
import { ensureDjango } from "./install.mjs";

const own = (name) => fileURLToPath(new URL(name, import.meta.url));

/** What a program prints of an event: the status of its answer. */
const statusFrom = async (program, args, event, env) =>
  Number((await runProgram(program, args, { env, input: JSON.stringify(event) })).trim().split("\n").at(-1));

/**
 * By the language of a block: lets `use` work with a function that hands an event (`{body, headers}`) to the receiver and returns the
 * status of its answer.
 */
export const withReceivers = {
  php: (code, secret, use) =>
    withFile("routes.php", code, (file) =>
      use((event) => statusFrom("php", [own("laravel.php"), file], { ...event, secret })),
    ),
  python: (code, secret, use) =>
    withFile("views.py", code, async (file) => {
      const python = await ensureDjango();
      await use((event) =>
        statusFrom(python, [own("django_view.py"), file], { ...event, secret }, libraries.python.env),
      );
    }),
  // A route handler of Next.js is a function of a standard request, so it needs no Next.js.
  ts: (code, secret, use) => withReceiverOf("typescript", `${code}\nconst receive = POST;\n`, secret, use),
  go: (code, secret, use) =>
    withFile("main.go", code, async (file) => {
      const port = await freePort();
      writeFileSync(file, code.replace("127.0.0.1:3000", `127.0.0.1:${port}`));
      const program = join(dirname(file), "receiver");
      // Go keeps what it has compiled, and wants a folder for it.
      await exec("go", ["build", "-o", program, file], { env: { ...process.env, GOCACHE: join(cacheDir, "go") } });
      await withServer(program, { PEYK_WEBHOOK_SECRET: secret }, `http://127.0.0.1:${port}/peyk`, use);
    }),
  csharp: (code, secret, use) =>
    withFile("PeykWebhook.cs", code, async (file) => {
      const program = join(dirname(file), "receiver.exe");
      await exec("mcs", ["-langversion:latest", "-r:System.Core", `-out:${program}`, file, own("Main.cs")]);
      await use(async ({ body, headers }) => {
        const sent = ["id", "timestamp", "signature"].map((name) => headers[`webhook-${name}`] ?? "");
        return Number((await runProgram("mono", [program, secret, ...sent, body])).trim());
      });
    }),
};

/** Lets `use` work with a file of this content in a folder of its own. */
async function withFile(name, content, use) {
  const dir = mkdtempSync(join(tmpdir(), "peyk-framework-"));
  try {
    const file = join(dir, name);
    writeFileSync(file, content);
    return await use(file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Lets `use` work while a program listens at an address. */
async function withServer(program, env, address, use) {
  const child = spawn(program, [], { cwd: inRoot(), env: { ...process.env, ...env }, stdio: "ignore" });
  const ended = finished(child);
  const post = async (event) => (await fetch(address, { method: "POST", ...event })).status;
  try {
    await until(() => post({ body: "" }).catch(() => false), { what: address });
    await use(post);
  } finally {
    child.kill();
    await ended;
  }
}
