// How `read-excel-file` opens an archive: in the page itself. Of its own accord it would start workers of scripts that it writes, which the
// policy of the page forbids. `vite.config.mjs` puts this in the place of `fflate`.
import { type UnzipCallback, type UnzipOptions, unzipSync } from "fflate/browser";

export function unzip(archive: Uint8Array, options: UnzipOptions, done: UnzipCallback) {
  try {
    done(null, unzipSync(archive, options));
  } catch (error) {
    done(error as Parameters<UnzipCallback>[0], {});
  }
}
