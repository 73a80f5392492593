import { ensureClock, ensureFolder, ensureNotNewer, versionIn } from "./folder.mjs";
import { lockFolder } from "./lock.mjs";

/** Holds a folder for the life of this process, if the data in it are for this version. All that is made there is for its user alone. */
export async function holdFolder(places, version) {
  process.umask(0o077);
  ensureFolder(places);
  await lockFolder(places);
  const found = versionIn(places);
  if (found) ensureNotNewer(places, found, version);
  ensureClock(places);
}
