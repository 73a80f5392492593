// Runs a command for as long as its starter lives. The runtime is a tree of processes; were it left to itself when its starter
// is killed outright, it would keep the port and the state. So it gets a process group of its own, led by this process
// (started detached), and the whole group is killed when the pipe from the starter closes or the command ends.
import { spawn } from "node:child_process";

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
const endGroup = () => process.kill(0, "SIGKILL");

child.on("exit", endGroup);
child.on("error", endGroup);
process.stdin.resume().on("close", endGroup);
process.on("SIGTERM", () => child.kill("SIGTERM"));
