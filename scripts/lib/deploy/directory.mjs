// Refuses a directory (the D1 database) on which this version would not work, before anything of it changes.
import { Failure } from "../base/command.mjs";
import { compareSchema, named } from "./schema.mjs";

/** Looks at the database of a configuration, if there is one yet. */
export async function ensureDirectory({ deployment, remote, say }, config) {
  const { name, d1Database, file } = deployment;
  if (!d1Database) return;
  const schema = await remote.schema(config);
  const hasMigrations = schema.some((entry) => entry.name === "d1_migrations");
  const applied = hasMigrations ? await remote.migrations(config) : [];
  const { isForeign, missing, broken, unknown } = await compareSchema({ schema, applied });
  if (isForeign)
    throw new Failure(
      `the name is taken: the D1 database ${name} has other tables than Peyk's. Choose another name: {"name": "…"} in ` +
        `${file}, without the ids there.`,
    );
  if (broken || missing.length > 0) throw refused(name, { missing, broken, unknown });
  if (unknown.length > 0)
    say(
      `the database has migrations that this checkout does not have: ${unknown.join(", ")}. A newer version was deployed; ` +
        "its migrations break no version before it.",
    );
}

function refused(name, { missing, broken, unknown }) {
  const faults = [missing.length > 0 && `it lacks ${named(missing)}`, broken].filter(Boolean).join("; ");
  const cause =
    unknown.length > 0
      ? `A newer version was deployed, whose migrations this checkout does not have (${unknown.join(", ")}): one can't go back to this version`
      : "A version before 0.2.0 has made it, or somebody has changed it";
  return new Failure(
    `the D1 database ${name} is not what this version expects: ${faults}.\nThe database and the worker stay as they are. ` +
      `${cause}. docs/upgrading.md says what to do (“A database that is refused”).`,
  );
}
