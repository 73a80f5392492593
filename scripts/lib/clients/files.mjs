// All files of the client libraries and of the console that are made from openapi.json.
import { consoleTypes } from "./console.mjs";
import { php } from "./php.mjs";
import { python } from "./python.mjs";
import { typescript } from "./typescript.mjs";

/** The texts of the files, by their paths in the project. */
export const madeFiles = async () => ({ ...typescript(), ...python(), ...php(), ...(await consoleTypes()) });
