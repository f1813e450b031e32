// For each {definition, cdr (hex)} on standard input: the value that foxglove's reader sees, and the CDR (hex) that its writer makes of it.
import rosmsg from "@foxglove/rosmsg";
import ros2 from "@foxglove/rosmsg2-serialization";
import { plain, question } from "./plain.mjs";

const answers = (await question()).map(({ definition, cdr }) => {
  const types = rosmsg.parse(definition, { ros2: true });
  const value = new ros2.MessageReader(types).readMessage(Buffer.from(cdr, "hex"));
  const written = new ros2.MessageWriter(types).writeMessage(value);
  return { value: plain(value), cdr: Buffer.from(written).toString("hex") };
});
process.stdout.write(JSON.stringify(answers));
