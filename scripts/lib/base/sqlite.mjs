/** SQLite of Node.js. The first Node.js that runs a command may lack it, so nothing imports it before. The pinned one warns that it is new. */
export async function sqlite() {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return await import("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
