// What tests have in common that make namespaces of the kernel.
import { createInterface } from "node:readline";

/** Why a process could not make its namespaces; `null`: it has said a line, and they are ready. */
export function refusalOf(holder) {
  let told = "";
  holder.stderr.setEncoding("utf8").on("data", (piece) => (told += piece));
  return new Promise((resolve) => {
    createInterface({ input: holder.stdout }).on("line", () => resolve(null));
    holder.once("error", ({ message }) => resolve(message));
    holder.once("close", () => resolve(told.trim() || "no reason was told"));
  });
}
