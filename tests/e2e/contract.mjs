// GitHub's API description as a proxy: every exchange is checked, and what breaks the description stands in the
// `sl-violations` header of the answer. Reads one line of JSON, prints its port, and ends when its input closes.
// The argument is the folder of installed packages. It is `prism proxy` without its command line, which takes half a minute to print every path of the description.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(process.argv[2] + "/here.js");
const lines = createInterface({ input: process.stdin });

lines.once("line", async (line) => {
  const { description, upstream, port } = JSON.parse(line);
  const { createLogger } = require("@stoplight/prism-core");
  const { getHttpOperationsFromSpec } = require("@stoplight/prism-http");
  const { createServer } = require("@stoplight/prism-http-server");
  const operations = await getHttpOperationsFromSpec(description);
  const checks = { validateRequest: true, validateResponse: true, checkSecurity: true };
  const server = createServer(operations, {
    cors: false,
    config: { ...checks, isProxy: true, upstream: new URL(upstream), errors: false, mock: { dynamic: false } },
    components: { logger: createLogger("contract", { level: "silent" }) },
  });
  await server.listen(port, "127.0.0.1");
  process.stdout.write(JSON.stringify({ operations: operations.length }) + "\n");
});
lines.once("close", () => process.exit(0));
