// What the receivers of the guide to frameworks run with.
import { fileURLToPath } from "node:url";
import { ensureFrameworks, ensurePython } from "../../../scripts/lib/test/install.mjs";

const requirements = fileURLToPath(new URL("requirements.txt", import.meta.url));

/** The Python that has Django. */
export const ensureDjango = () => ensurePython(requirements, "the tests of frameworks");

export async function ensureReceivers() {
  await ensureFrameworks();
  await ensureDjango();
}
