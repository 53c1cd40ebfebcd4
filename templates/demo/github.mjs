// GitHub on loopback: reads a seed from the first line of standard input, prints where it serves and the keys that it
// made as one line of JSON, and ends when its input closes, so that it never outlives whoever started it.
// The argument is the folder of installed packages.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { createEmulator } = await import(pathToFileURL(join(process.argv[2], "emulate", "dist", "api.js")));

const lines = createInterface({ input: process.stdin });
let github;

lines.once("line", async (line) => {
  const { port, pages, seed } = JSON.parse(line);
  try {
    github = await createEmulator({ service: "github", hostname: "127.0.0.1", port, baseUrl: pages ?? undefined, seed });
    const keys = Object.fromEntries(github.generatedSecrets.map((secret) => [secret.id, secret.value]));
    process.stdout.write(JSON.stringify({ port, keys }) + "\n");
  } catch (failure) {
    process.stdout.write(JSON.stringify({ failure: String(failure?.message ?? failure) }) + "\n");
    process.exit(1);
  }
});
lines.once("close", async () => {
  await github?.close();
  process.exit(0);
});
