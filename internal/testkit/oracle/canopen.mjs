// The npm package canopen (CiA 301) at the other end of a bus of CAN frames in UDP multicast, as master of a node of ours, or as a node of our master.
import dgram from "node:dgram";
import { createRequire } from "node:module";
import { decode, encode } from "@msgpack/msgpack";
import { question } from "./plain.mjs";

const require = createRequire(import.meta.url);
const checksums = require.resolve("node-crc"); // native code, not built here: only block transfers need it
require.cache[checksums] = { id: checksums, filename: checksums, loaded: true, exports: {} };
const canopen = require("canopen");
const { Device, DataType, ObjectType, AccessType } = canopen;
const { role, address, port, node, own, text } = await question();
const answer = { heard: [], pdos: [], emergencies: [], syncs: 0 };

const socket = dgram.createSocket({ type: "udp4", reuseAddr: true });
await new Promise((resolve) => socket.bind(port, address, resolve));
socket.addMembership(address, "127.0.0.1");
socket.setMulticastInterface("127.0.0.1");

const device = new Device({ id: own });
device.addListener("message", ({ id, data }) => {
  const frame = {
    timestamp: 0.5, arbitration_id: id, is_extended_id: false, is_remote_frame: false, is_error_frame: false, channel: null,
    dlc: data.length, data: new Uint8Array(data), is_fd: false, bitrate_switch: false, error_state_indicator: false,
  };
  socket.send(encode(frame), port, address);
});
socket.on("message", (bytes, from) => {
  const frame = decode(bytes);
  if (from.port !== socket.address().port) device.receive({ id: frame.arbitration_id, data: Buffer.from(frame.data), len: frame.dlc });
});
const until = async (what, done) => {
  for (let k = 0; !done(); k++) {
    if (k > 2000) throw new Error(`${what} does not happen: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

// master commands our node: NMT, both transfers, mapping, SYNC, the states of CiA 402, an emergency.
async function master() {
  const { eds, sdo, nmt } = device;
  eds.addSdoClientParameter(node, 0x600 + node, 0x580 + node);
  eds.addHeartbeatConsumer(node, 1000);
  eds.addEmcyConsumer(0x80 + node);
  eds.setSyncCobId(0x80);
  eds.setSyncGenerationEnable(true);
  const status = eds.addEntry(0x2041, { parameterName: "status", dataType: DataType.UNSIGNED16 });
  const position = eds.addEntry(0x2064, { parameterName: "position", dataType: DataType.INTEGER32 });
  eds.addReceivePdo({ cobId: 0x180 + node, dataObjects: [status, position] });
  nmt.on("heartbeat", ({ state }) => answer.heard.push(state));
  device.emcy.on("emergency", ({ em }) => answer.emergencies.push([em.code, em.register]));
  device.pdo.on("pdo", () => answer.pdos.push([status.value, position.value]));
  device.start();
  nmt.startNode(); // itself: PDOs are received in operational only
  const at = (index, subIndex, dataType) => ({ deviceId: node, index, subIndex, dataType, timeout: 2000 });
  const read = (index, subIndex, dataType) => sdo.upload(at(index, subIndex, dataType));
  const write = (index, subIndex, dataType, data) => sdo.download({ ...at(index, subIndex, dataType), data });
  const refused = async (promise) => promise.then(() => "accepted", (e) => e.code);

  nmt.resetCommunication(node);
  await until("the boot-up", () => answer.heard.includes(0));
  await write(0x1017, 0, DataType.UNSIGNED16, 20);
  await until("pre-operational", () => answer.heard.includes(127));
  answer.type = await read(0x1000, 0, DataType.UNSIGNED32);
  answer.name = await read(0x1008, 0, DataType.VISIBLE_STRING);
  await write(0x2000, 0, DataType.VISIBLE_STRING, text);
  answer.text = await read(0x2000, 0, DataType.VISIBLE_STRING);
  answer.refused = [
    await refused(read(0x5fff, 0, DataType.UNSIGNED8)), await refused(read(0x1018, 9, DataType.UNSIGNED32)),
    await refused(write(0x1000, 0, DataType.UNSIGNED32, 1)), await refused(write(0x6040, 0, DataType.UNSIGNED32, 1)),
  ];
  await write(0x1800, 1, DataType.UNSIGNED32, 0x80000180 + node);
  await write(0x1800, 2, DataType.UNSIGNED8, 1);
  await write(0x1a00, 0, DataType.UNSIGNED8, 0);
  await write(0x1a00, 1, DataType.UNSIGNED32, 0x60410010);
  await write(0x1a00, 2, DataType.UNSIGNED32, 0x60640020);
  await write(0x1a00, 0, DataType.UNSIGNED8, 2);
  await write(0x1800, 1, DataType.UNSIGNED32, 0x180 + node);
  nmt.startNode(node);
  await until("operational", () => answer.heard.includes(5));
  await write(0x6060, 0, DataType.INTEGER8, 8);
  await write(0x607a, 0, DataType.INTEGER32, -100);
  answer.states = [];
  for (const word of [0x06, 0x07, 0x0f]) {
    await write(0x6040, 0, DataType.UNSIGNED16, word);
    answer.states.push((await read(0x6041, 0, DataType.UNSIGNED16)) & 0x6f);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  device.sync.write();
  await until("the PDO", () => answer.pdos.length > 0);
  await write(0x2000, 0, DataType.VISIBLE_STRING, "fail");
  await until("the emergency", () => answer.emergencies.length > 0);
  nmt.stopNode(node);
  await until("stopped", () => answer.heard.includes(4));
}

// slave is a node of our master, until that writes 1 to 2003h.
async function slave() {
  const { eds, nmt } = device;
  eds.addSdoServerParameter(node, 0x580 + own, 0x600 + own);
  eds.setHeartbeatProducerTime(20);
  eds.setEmcyCobId(0x80 + own);
  eds.setSyncCobId(0x80);
  const entry = (index, parameterName, dataType, value) => {
    const e = eds.addEntry(index, { parameterName, dataType, objectType: ObjectType.VAR, accessType: AccessType.READ_WRITE });
    e.value = value;
    return e;
  };
  const number = entry(0x2001, "number", DataType.INTEGER16, -7);
  const words = entry(0x2002, "words", DataType.VISIBLE_STRING, text);
  const done = entry(0x2003, "done", DataType.UNSIGNED8, 0);
  const sent = entry(0x2004, "sent", DataType.UNSIGNED32, 0x12345678);
  const received = entry(0x2005, "received", DataType.UNSIGNED32, 0);
  eds.addTransmitPdo({ cobId: 0x180 + own, transmissionType: 1, dataObjects: [sent] });
  eds.addReceivePdo({ cobId: 0x200 + own, dataObjects: [received] });
  nmt.on("changeState", (state) => answer.heard.push(state));
  device.sync.on("sync", () => answer.syncs++);
  device.pdo.on("pdo", () => answer.pdos.push(received.value));
  device.start();
  await until("the PDO of the master", () => answer.pdos.length > 0);
  device.emcy.write(0x4210, Buffer.from([1, 2, 3, 4, 5]));
  await until("the end", () => done.value === 1);
  Object.assign(answer, { number: number.value, text: words.value });
  await new Promise((resolve) => setTimeout(resolve, 50)); // the answer to the last transfer is under way
}

await (role === "master" ? master() : slave());
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
