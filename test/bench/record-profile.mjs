// Loaded into a server with `--import`: the first SIGUSR2 starts a CPU profile, the second writes it to PROFILE_FILE.
// JavaScript, so that nothing is compiled meanwhile.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";

const { PROFILE_FILE } = process.env;
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 200 });
let running = false;
process.on("SIGUSR2", async () => {
  if (!running) await session.post("Profiler.start");
  else writeFileSync(PROFILE_FILE, JSON.stringify((await session.post("Profiler.stop")).profile));
  running = !running;
  process.stderr.write(running ? "profile started\n" : "profile written\n");
});
