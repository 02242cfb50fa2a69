// Loads an AsyncAPI document as its users' tools do. Prints each error; the exit status is 1 if it does not load.
const { readFileSync } = require("node:fs");
const { Parser } = require("@asyncapi/parser");

new Parser().parse(readFileSync(process.argv[2], "utf8")).then(({ document, diagnostics }) => {
  const errors = diagnostics.filter(({ severity }) => severity === 0);
  for (const { code, path, message } of errors) console.log(`${code} ${path.join("/")}: ${message}`);
  if (!document || errors.length > 0) process.exit(1);
  const names = document.messages().all().map((message) => message.name());
  console.log(JSON.stringify({ version: document.version(), messages: [...new Set(names)].sort() }));
});
