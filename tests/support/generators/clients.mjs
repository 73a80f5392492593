// Makes a client with each generator, in a folder of its own, and puts a program there that uses it. Each returns the command that runs
// the program: `[program, ...arguments]`.
import { copyFileSync, cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDir, inRoot, npmBin } from "../../../scripts/lib/base/paths.mjs";
import { runProgram } from "../client-libraries.mjs";
import { ensurePythonOfGenerators, openapiGenerator } from "./install.mjs";

const document = inRoot("openapi.json");
const own = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Compiles a program strictly. */
function tsc(dir, file, ...options) {
  const target = ["--target", "es2022", "--lib", "es2022,dom,dom.iterable"];
  return runProgram(npmBin("tsc"), ["--strict", "--skipDefaultLibCheck", ...target, ...options, file], { cwd: dir });
}

export const clients = {
  async "openapi-typescript"(dir) {
    // The tool looks for a configuration of Redocly where it runs, and ours knows exceptions that it doesn't read.
    await runProgram(npmBin("openapi-typescript"), [document, "--output", "schema.d.mts"], { cwd: dir });
    copyFileSync(own("openapi-typescript.ts"), join(dir, "client.mts"));
    await tsc(dir, "client.mts", "--module", "nodenext");
    return [process.execPath, join(dir, "client.mjs")];
  },

  async "@hey-api/openapi-ts"(dir) {
    const options = ["--input", document, "--output", "made", "--no-log-file", "--silent"];
    await runProgram(npmBin("openapi-ts"), options, { cwd: dir });
    copyFileSync(own("hey-api.ts"), join(dir, "client.ts"));
    // What it makes is for programs that are bundled: it names no endings of files.
    await tsc(dir, "client.ts", "--module", "commonjs", "--moduleResolution", "node10");
    return [process.execPath, join(dir, "client.js")];
  },

  async "openapi-python-client"(dir) {
    const python = await ensurePythonOfGenerators();
    const options = ["generate", "--path", document, "--meta", "none", "--output-path", "made"];
    await runProgram(python, ["-m", "openapi_python_client", ...options], { cwd: dir });
    await runProgram(python, ["-m", "compileall", "-q", "made"], { cwd: dir });
    copyFileSync(own("openapi_python_client.py"), join(dir, "client.py"));
    return [python, join(dir, "client.py")];
  },

  async "openapi-generator: go"(dir) {
    const { java, jar } = await openapiGenerator();
    const made = join(dir, "src", "made");
    // Java starts faster when it compiles less.
    const quickly = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
    const options = [
      "--additional-properties=packageName=made,enumClassPrefix=true",
      "--global-property=apiDocs=false,apiTests=false,modelDocs=false,modelTests=false",
    ];
    const generate = ["generate", "-i", document, "-g", "go", "-o", "go", ...options];
    await runProgram(java, [...quickly, "-jar", jar, ...generate], { cwd: dir });
    mkdirSync(made, { recursive: true });
    for (const file of readdirSync(join(dir, "go")).filter((name) => name.endsWith(".go")))
      cpSync(join(dir, "go", file), join(made, file));
    mkdirSync(join(dir, "src", "client"));
    copyFileSync(own("client.go"), join(dir, "src", "client", "main.go"));
    // The packages that it imports are Debian's, which have no modules.
    const env = { GO111MODULE: "off", GOPATH: `${dir}:/usr/share/gocode`, GOCACHE: join(cacheDir, "go") };
    // Nobody runs it twice, so nothing is optimised.
    const build = ["build", "-gcflags=made=-N -l", "-ldflags=-s -w", "-o", "program", "client"];
    await runProgram("go", build, { cwd: dir, env });
    return [join(dir, "program")];
  },
};
