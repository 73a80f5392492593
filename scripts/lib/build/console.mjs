// The console as files: Vite bundles `console/`, and nothing is written here.
import { readFileSync } from "node:fs";
import { build } from "vite";
import { inRoot } from "../base/paths.mjs";

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

/** The files of the console: `[path, content]` each. */
export async function consoleFiles() {
  const { output } = await build({ root: inRoot("console"), logLevel: "warn", build: { write: false } });
  const font = readFileSync(inRoot("node_modules", "@fontsource-variable", "vazirmatn", "LICENSE"));
  return [
    ...output.map(({ fileName, code, source }) => [`console/${fileName}`, code ?? source]),
    ["console/assets/vazirmatn-license.txt", font],
  ];
}
