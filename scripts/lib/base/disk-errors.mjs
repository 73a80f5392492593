// Errors of the system and of SQLite that who runs a command can mend, in words.
import { Failure } from "./command.mjs";

const reasons = {
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of this user is used up",
  EMFILE: "this process may open no more files; `ulimit -n` says how many",
  ENFILE: "this machine may open no more files",
  EACCES: "this user may not do that",
  EPERM: "this user may not do that",
  EROFS: "the disk may only be read",
  EXDEV: "it stands on another disk",
  EFBIG: "a file may not become so large",
  EIO: "the disk does not work",
};
/** What SQLite's codes say: SQLITE_PERM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN. */
const ofSqlite = { 3: "EACCES", 8: "EACCES", 10: "EIO", 13: "ENOSPC", 14: "EACCES" };

/** Runs `work`. An error of the disk becomes a `Failure` that says `what` was not done and why. */
export async function inWords(what, work) {
  try {
    return await work();
  } catch (error) {
    const reason = reasons[ofSqlite[error.errcode & 0xff] ?? error.code];
    if (error instanceof Failure || !reason) throw error;
    throw new Failure(`${what}: ${reason} (${error.message}).`);
  }
}
