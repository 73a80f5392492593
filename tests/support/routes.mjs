import { readFileSync } from "node:fs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

/**
 * The routes of openapi.json, which a native test compares with the service's own table: `{operation, method, path, scopes}` each, with no
 * `scopes` for a public route and one for any key. A route that is added is tested, or the tests say that it is not.
 */
export function routes() {
  const { paths } = JSON.parse(readFileSync(inRoot("openapi.json"), "utf8"));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security }]) => ({
      operation: operationId,
      method: method.toUpperCase(),
      path,
      scopes: security.flatMap(({ key }) => key),
    })),
  );
}
