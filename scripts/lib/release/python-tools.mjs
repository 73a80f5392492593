// The Python that builds and installs the Python library, with its tools in pinned versions.
import { inRoot } from "../base/paths.mjs";
import { ensurePython } from "../test/install.mjs";

export const ensurePythonTools = () =>
  ensurePython(inRoot("scripts", "lib", "release", "requirements.txt"), "releases of the Python library");
