import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** React Aria's texts in its own languages, which the console has in its place: `src/base/aria-texts.ts`. */
const ownTexts = /\/react-(?:aria|aria-components|stately)\/dist\/private\/intl\/.*[a-z]{2}-[A-Z]{2}\.mjs$/;

const withoutOwnTexts = {
  name: "without-own-texts",
  load: { filter: { id: ownTexts }, handler: () => "export default null;" },
};

/** What counts in the page is built beside the worker, of the same code. */
const counting = fileURLToPath(new URL("../build/console-counting/index.js", import.meta.url));

/** What opens workbooks takes archives apart as the page allows. */
const unzip = fileURLToPath(new URL("./src/pages/import/unzip.ts", import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: "peyk-counting", replacement: counting },
      { find: /^fflate$/, replacement: unzip },
    ],
  },
  plugins: [withoutOwnTexts],
  base: "/console/",
  publicDir: false,
  build: {
    target: "es2023",
    // A font or a picture inside of the CSS would be against the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The licences of what is bundled ask to go with it.
    license: { fileName: "assets/licenses.md" },
    rolldownOptions: {
      onwarn(warning, warn) {
        // Libraries say so to frameworks that render on a server. Nothing here does.
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
});
