"""The other end by pymodbus: peer.py client|server serial PATH | tcp PORT.

The client asks a unit 9 for what the test expects, and prints the answers. The server has registers i = 3 i mod 65536 for unit 9."""
import sys

role, kind, at = sys.argv[1:]


def client():
    from pymodbus.client import ModbusSerialClient, ModbusTcpClient
    c = ModbusSerialClient(port=at, baudrate=115200, timeout=5) if kind == "serial" else ModbusTcpClient("127.0.0.1", port=int(at), timeout=5)
    assert c.connect()
    print(c.read_holding_registers(100, 3, slave=9).registers)
    print(c.read_input_registers(101, 125, slave=9).registers[-1])
    print(c.write_registers(100, [7, 65535, 0], slave=9).count)
    print(c.write_register(102, 4711, slave=9).value)
    print(c.readwrite_registers(read_address=100, read_count=4, write_address=103, write_registers=[1, 2], unit=9).registers)
    print(c.read_holding_registers(999, 2, slave=9).exception_code)
    print(c.read_coils(0, 1, slave=9).exception_code)
    c.close()


def server():
    from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
    from pymodbus.server import StartSerialServer, StartTcpServer
    from pymodbus.transaction import ModbusRtuFramer
    block = ModbusSequentialDataBlock(0, [3 * i % 65536 for i in range(1000)])
    context = ModbusServerContext(slaves={9: ModbusSlaveContext(hr=block, ir=block, zero_mode=True)}, single=False)
    if kind == "serial":
        StartSerialServer(context=context, framer=ModbusRtuFramer, port=at, baudrate=115200)
    else:
        StartTcpServer(context=context, address=("127.0.0.1", int(at)))


client() if role == "client" else server()
