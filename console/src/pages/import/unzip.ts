// How `read-excel-file` opens an archive: in the page itself. Of its own accord it would start workers of scripts that it writes, which the
// policy of the page forbids. `vite.config.mjs` puts this in the place of `fflate`.
import { type UnzipCallback, unzipSync } from "fflate/browser";

export { strFromU8 } from "fflate/browser";

/** Nothing else of a workbook is read, such as its pictures. */
const wanted = /\.(?:xml|rels)$/;

export function unzip(archive: Uint8Array, done: UnzipCallback) {
  try {
    done(null, unzipSync(archive, { filter: ({ name }) => wanted.test(name) }));
  } catch (error) {
    done(error as Parameters<UnzipCallback>[0], {});
  }
}
