// Writes with @mcap/core, for {options, messages: [{topic, schema, definition, log, value}]} on standard input, a file and prints it as base64.
import * as mcap from "@mcap/core";
import rosmsg from "@foxglove/rosmsg";
import ros2 from "@foxglove/rosmsg2-serialization";
import { question } from "./plain.mjs";

const chunks = [];
let position = 0n;
const writable = {
  position: () => position,
  async write(b) { chunks.push(Buffer.from(b)); position += BigInt(b.byteLength); },
};
const { options, messages } = await question();
const writer = new mcap.McapWriter({ writable, ...options });
await writer.start({ profile: "ros2", library: "oracle" });
const topics = new Map();
for (const m of messages) {
  if (!topics.has(m.topic)) {
    const schemaId = await writer.registerSchema({ name: m.schema, encoding: "ros2msg", data: new TextEncoder().encode(m.definition) });
    const id = await writer.registerChannel({ topic: m.topic, schemaId, messageEncoding: "cdr", metadata: new Map() });
    topics.set(m.topic, { id, writer: new ros2.MessageWriter(rosmsg.parse(m.definition, { ros2: true })), sequence: 0 });
  }
  const t = topics.get(m.topic);
  await writer.addMessage({ channelId: t.id, sequence: t.sequence++, logTime: BigInt(m.log), publishTime: BigInt(m.log), data: t.writer.writeMessage(m.value) });
}
await writer.addMetadata({ name: "about", metadata: new Map([["by", "oracle"]]) });
await writer.addAttachment({ name: "a.txt", logTime: 1n, createTime: 2n, mediaType: "text/plain", data: new TextEncoder().encode("hello") });
await writer.end();
process.stdout.write(JSON.stringify(Buffer.concat(chunks).toString("base64")));
