// What must not stand where git could take it along: files with a secret.
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { isPackage } from "./packed.mjs";
import { root } from "./paths.mjs";

/** Whether git could take a file along that stands at an absolute path: it is in the checkout, and not in deployments/, which git ignores. */
export function isForGit(path) {
  const inCheckout = relative(realpathSync(root), realPathOf(path));
  return !isPackage && !isAbsolute(inCheckout) && !/^(\.\.|deployments)(?:[/\\]|$)/.test(inCheckout);
}

/** The absolute path without links, also of what is not there yet. */
export function realPathOf(path) {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPathOf(parent), basename(path));
}
