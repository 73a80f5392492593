// The configurations of docs/self-hosting.md, in Debian's nginx and Caddy before a service.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { environment, finished } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { ensureProxies } from "../../scripts/lib/test/install.mjs";
import { selfSigned } from "../support/certificate.mjs";
import { freePorts } from "../support/peers/ports.mjs";
import { until } from "../support/server.mjs";
import { keyIn, newPlace, startServing } from "../support/serving.mjs";

const host = "sms.example.com";
const place = newPlace();
const dir = mkdtempSync(join(tmpdir(), "peyk-proxy-"));
const files = { cert: join(dir, "cert.pem"), key: join(dir, "key.pem") };
const certificate = selfSigned({ isAuthority: true, hosts: [host] });
let server;

before(async () => {
  await ensureProxies();
  for (const [name, file] of Object.entries(files)) writeFileSync(file, certificate[name]);
  server = await startServing(place, { env: { TRUSTED_PROXIES: "127.0.0.1", PUBLIC_URL: `https://${host}` } });
  assert.ok(server.baseUrl, server.output());
});
after(async () => {
  server.child.kill("SIGTERM");
  await server.exited;
  place.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** A configuration of the page: the block after the name, for this service. */
function shown(name, replaced) {
  const page = readFileSync(inRoot("docs", "self-hosting.md"), "utf8");
  let text = new RegExp(`^${name}:\\n\\n\`\`\`\\w*\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)[1];
  for (const [from, to] of [["127.0.0.1:8787", new URL(server.baseUrl).host], ...replaced]) {
    assert.ok(text.includes(from), `${name}: ${from}`);
    text = text.replace(from, to);
  }
  return text;
}

const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
  .map((name) => `${name}_temp_path ${join(dir, name)};`)
  .join(" ");

const proxies = {
  nginx(port) {
    const block = shown("nginx", [
      ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
      ["/etc/ssl/sms.example.com.pem", files.cert],
      ["/etc/ssl/sms.example.com.key", files.key],
    ]);
    const file = join(dir, "nginx.conf");
    const main = `daemon off; master_process off; pid ${join(dir, "pid")}; error_log stderr; events {}`;
    writeFileSync(file, `${main} http { access_log off; ${temporary}\n${block} }`);
    return ["nginx", ["-c", file, "-p", dir]];
  },
  caddy(port) {
    const block = shown("Caddy", [
      ["sms.example.com {", `https://${host}:${port} {\n  tls ${files.cert} ${files.key}`],
    ]);
    const file = join(dir, "Caddyfile");
    writeFileSync(file, `{\n  admin off\n  auto_https disable_redirects\n}\n${block}`);
    return ["caddy", ["run", "--config", file, "--adapter", "caddyfile"]];
  },
};

/** Asks by https from an address of this machine, with forged headers. */
function ask(port, method, path, body) {
  const forged = { "x-forwarded-for": "203.0.113.7", "x-real-ip": "203.0.113.7", "cf-connecting-ip": "203.0.113.7" };
  const headers = { host, authorization: `Bearer ${keyIn(place)}`, "content-type": "application/json", ...forged };
  const to = {
    host: "127.0.0.1",
    port,
    servername: host,
    ca: certificate.cert,
    localAddress: "127.0.0.3",
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const asked = request({ ...to, method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    asked.on("error", reject).end(body && JSON.stringify(body));
  });
}

for (const [name, configure] of Object.entries(proxies))
  test(`through ${name}, the service knows the client and that it has called by https`, async () => {
    const [port] = await freePorts(1);
    const [program, args] = configure(port);
    const env = environment({ HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir });
    const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (piece) => (log += piece));
    const exited = finished(child);
    try {
      const isUp = async () => {
        assert.equal(child.exitCode, null, log);
        return (await ask(port, "GET", "/health").catch(() => null))?.status === 200;
      };
      await until(isUp, { what: `an answer through ${name}` });
      const plan = { slug: name, title: name, tariff: { slug: name, title: name, price: 1 } };
      const made = await ask(port, "POST", "/admin/plans", plan);
      assert.equal(made.status, 201, made.text);
      const { data } = JSON.parse((await ask(port, "GET", "/admin/audit?limit=5")).text);
      assert.equal(data.find(({ thing }) => thing.id === name).address, "127.0.0.3");
      const missing = JSON.parse((await ask(port, "GET", "/nothing")).text);
      assert.equal(missing.type, `https://${host}/docs/problems/not-found`);
    } finally {
      child.kill("SIGKILL");
      await exited;
    }
  });
