// Compiles every schema of a directory with Ajv in strict mode, and checks each line of standard input, "name payload".
const { readFileSync, readdirSync } = require("node:fs");
const { join } = require("node:path");
const Ajv = require("ajv/dist/2020").default;
const formats = require("ajv-formats").default;

const ajv = new Ajv({ strict: true, allErrors: true });
formats(ajv);
const directory = process.argv[2];
const compiled = new Map();
for (const file of readdirSync(directory).filter((name) => name !== "asyncapi.json")) {
  compiled.set(file.replace(/\.json$/, ""), ajv.compile(JSON.parse(readFileSync(join(directory, file)))));
}
let wrong = 0;
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const end = line.indexOf(" ");
  const validate = compiled.get(line.slice(0, end));
  if (!validate(JSON.parse(line.slice(end + 1)))) {
    wrong += 1;
    console.log(`${line}: ${ajv.errorsText(validate.errors)}`);
  }
}
console.log(`${compiled.size} schemas`);
process.exit(wrong === 0 ? 0 : 1);
