"""A node of a CAN bus by python-can: it sends one frame of each form, then returns each frame that it receives with identifier + 1."""
import ast
import sys
import can

arguments = ast.literal_eval(sys.argv[1])
bus = can.Bus(**arguments)
echoes = set()  # python-can receives by multicast what it has sent itself


def send(message):
    if arguments["interface"] == "udp_multicast":
        echoes.add(message.arbitration_id)
    bus.send(message)


for message in (
    can.Message(arbitration_id=0x123, is_extended_id=False, data=[1, 2, 0xFF]),
    can.Message(arbitration_id=0x1ABCDEF0, is_extended_id=True, data=range(8)),
    can.Message(arbitration_id=0x7FF, is_extended_id=False, is_remote_frame=True, dlc=4),
    can.Message(arbitration_id=0, is_extended_id=False, data=[]),
):
    send(message)
while True:
    message = bus.recv()
    if message.arbitration_id in echoes:
        echoes.remove(message.arbitration_id)
        continue
    message.arbitration_id += 1
    send(message)
