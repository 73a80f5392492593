// All files of the client libraries that are made from openapi.json.
import { php } from "./php.mjs";
import { python } from "./python.mjs";
import { typescript } from "./typescript.mjs";

/** The texts of the files, by their paths in the project. */
export const madeFiles = () => ({ ...typescript(), ...python(), ...php() });
