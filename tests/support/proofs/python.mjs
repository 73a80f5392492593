// A Python with the package that the Python library checks proofs with.
import { fileURLToPath } from "node:url";
import { ensurePython } from "../../../scripts/lib/test/install.mjs";

const requirements = fileURLToPath(new URL("requirements.txt", import.meta.url));

export const ensurePythonOfProofs = () => ensurePython(requirements, "the tests of proofs");
