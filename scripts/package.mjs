// `npm run package` makes the package with which Peyk runs on a machine that has Node.js and nothing else of it.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { Failure, run, say } from "./lib/base/command.mjs";
import { checkWords, parsed } from "./lib/base/options.mjs";
import { called } from "./lib/base/packed.mjs";

const help = `${called("package")} [--arch x64|arm64]

Makes build/packages/peyk-VERSION-linux-ARCH.tar.gz, which serves Peyk on a machine that has Node.js and no internet.
docs/self-hosting.md says how to install it.

  --arch ARCH   the processor of that machine (default: that of this one)
  --help        print this`;
const known = { arch: { type: "string", default: process.arch } };

const args = process.argv.slice(2);
await checkWords(args, { command: "package", help, known });
await bootstrap();
await run(async () => {
  const { arch } = parsed(args, known, "package");
  const { architectures, makePackage } = await import("./lib/package/package.mjs");
  if (!architectures.includes(arch))
    throw new Failure(
      `--arch must be ${architectures.join(" or ")}, not "${arch}": there is no runtime for another one.`,
    );
  await makePackage({ arch, say });
});
