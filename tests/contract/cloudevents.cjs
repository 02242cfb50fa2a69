// Reads each line of standard input, an event of feltd, with the CloudEvents SDK, and prints what it understood of it.
const { readFileSync } = require("node:fs");
const { HTTP } = require("cloudevents");

for (const body of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const event = HTTP.toEvent({ headers: { "content-type": "application/cloudevents+json" }, body });
  event.validate();
  console.log(JSON.stringify({ id: event.id, type: event.type, sequence: event.sequence, data: event.data }));
}
