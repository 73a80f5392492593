// The console as files: Vite bundles `console/`.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../base/command.mjs";
import { inRoot, npmBin } from "../base/paths.mjs";
import { buildCounting } from "./counting.mjs";

/** Nothing comes from elsewhere, and nothing in the page runs or styles it but its own files. The counting is WebAssembly. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The console's part of the file `_headers`. The name of an asset has a hash of what is in it, so it never changes. */
export const consoleHeaders = `/console*
  Content-Security-Policy: ${policy}
  X-Content-Type-Options: nosniff
  Referrer-Policy: same-origin
  Cross-Origin-Opener-Policy: same-origin
  Permissions-Policy: camera=(), geolocation=(), microphone=()
/console/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;

/**
 * The files of the console: `[path, content]` each. Vite has a process of its own, because it sets `NODE_ENV`, by which npm leaves
 * packages out. It has a folder of its own, because two tests may build at the same time.
 */
export async function consoleFiles() {
  await buildCounting();
  const dir = mkdtempSync(join(tmpdir(), "peyk-console-"));
  try {
    const args = ["build", "--outDir", dir, "--emptyOutDir", "--logLevel", "warn"];
    await exec(process.execPath, [npmBin("vite"), ...args], { cwd: inRoot("console") });
    const names = readdirSync(dir, { recursive: true }).filter((name) => statSync(join(dir, name)).isFile());
    const font = readFileSync(inRoot("node_modules", "@fontsource-variable", "vazirmatn", "LICENSE"));
    return [
      ...names.map((name) => [`console/${name}`, readFileSync(join(dir, name))]),
      ["console/assets/vazirmatn-license.txt", font],
    ];
  } finally {
    rmSync(dir, { recursive: true });
  }
}
