// Runs a command for as long as the process that started it lives. The runtime is a tree of processes. Without this,
// they would keep the port and the state if their starter is killed with SIGKILL. So this process is started detached
// and leads its own process group. It kills the whole group when the pipe from the starter closes or the command ends.
import { spawn } from "node:child_process";

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
const endGroup = () => process.kill(0, "SIGKILL");

child.on("exit", endGroup);
child.on("error", endGroup);
process.stdin.resume().on("close", endGroup);
process.on("SIGTERM", () => child.kill("SIGTERM"));
