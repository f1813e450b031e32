// The messages that @mcap/core finds in each of the files named on standard input, by its index, with values decoded by foxglove's reader.
import { open } from "node:fs/promises";
import * as mcap from "@mcap/core";
import rosmsg from "@foxglove/rosmsg";
import ros2 from "@foxglove/rosmsg2-serialization";
import * as fzstd from "fzstd";
import { plain, question } from "./plain.mjs";

class File {
  constructor(handle) { this.handle = handle; }
  async size() { return BigInt((await this.handle.stat()).size); }
  async read(offset, size) {
    const b = new Uint8Array(Number(size));
    const { bytesRead } = await this.handle.read(b, 0, b.length, Number(offset));
    if (bytesRead !== b.length) throw new Error(`read ${bytesRead} of ${b.length} bytes at ${offset}`);
    return b;
  }
}

async function look(path) {
  const handle = await open(path);
  const reader = await mcap.McapIndexedReader.Initialize({
    readable: new File(handle),
    decompressHandlers: { zstd: (b, size) => fzstd.decompress(b, new Uint8Array(Number(size))) },
  });
  const readers = new Map();
  const channels = [];
  for (const c of reader.channelsById.values()) {
    const s = reader.schemasById.get(c.schemaId);
    const text = new TextDecoder().decode(s.data);
    readers.set(c.id, new ros2.MessageReader(rosmsg.parse(text, { ros2: true })));
    channels.push({
      topic: c.topic, encoding: c.messageEncoding, metadata: Object.fromEntries(c.metadata),
      schema: s.name, schemaEncoding: s.encoding, definition: text,
    });
  }
  const messages = [];
  for await (const m of reader.readMessages()) {
    messages.push({
      topic: reader.channelsById.get(m.channelId).topic, sequence: m.sequence,
      log: m.logTime.toString(), publish: m.publishTime.toString(), value: plain(readers.get(m.channelId).readMessage(m.data)),
    });
  }
  const metadata = {};
  for await (const m of reader.readMetadata()) metadata[m.name] = Object.fromEntries(m.metadata);
  const attachments = {};
  for await (const a of reader.readAttachments()) attachments[a.name] = new TextDecoder().decode(a.data);
  // Read once more as a stream, which checks every CRC.
  const stream = new mcap.McapStreamReader({ decompressHandlers: { zstd: (b, size) => fzstd.decompress(b, new Uint8Array(Number(size))) }, validateCrcs: true });
  stream.append(await handle.readFile());
  let streamed = 0;
  for (let r; (r = stream.nextRecord());) if (r.type === "Message") streamed++;
  await handle.close();
  return {
    profile: reader.header.profile, count: reader.statistics.messageCount.toString(), chunks: reader.chunkIndexes.length,
    done: stream.done(), streamed, channels, messages, metadata, attachments,
  };
}

const answers = [];
for (const path of await question()) answers.push(await look(path));
process.stdout.write(JSON.stringify(answers));
