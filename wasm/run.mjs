// Calls every exported check of the given module.
import { readFile } from "node:fs/promises";

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]));
const checks = ["pools", "worlds", "saves", "snapshots"];
for (const name of checks) {
  const line = instance.exports[name]();
  if (line !== 0) throw new Error(`${name}: the check in src/lib.rs, line ${line}, failed`);
}
console.log(`${checks.join(", ")}: as they should be`);
