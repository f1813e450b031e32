"""parse: writes what pynmea2 reads in the sentences of stdin. render: writes sentences of pynmea2."""
import sys

import pynmea2


def parse():
    for line in sys.stdin:
        m = pynmea2.parse(line.strip(), check=True)
        kind = m.sentence_type
        if kind == "GGA":
            position = (m.latitude, m.longitude) if m.gps_qual else ("-", "-")
            print("GGA", m.talker, *position, m.altitude, m.gps_qual, m.num_sats, m.timestamp)
        elif kind == "RMC":
            print("RMC", m.status, m.spd_over_grnd, m.true_course)
        elif kind == "GSA":
            print("GSA", m.mode_fix_type)
        elif kind == "GST":
            print("GST", m.std_dev_latitude, m.std_dev_longitude, m.std_dev_altitude)


def render():
    print(pynmea2.GSA("GL", "GSA", ("A", "3") + ("",) * 12 + ("1.8", "1.0", "1.5")))
    print(pynmea2.GST("GA", "GST", ("184353.07", "1.8", "", "", "", "1.7", "1.3", "2.2")))
    print(pynmea2.RMC("GB", "RMC", ("184353.07", "A", "1929.045", "S", "02410.506", "E", "10.0", "270.0", "011025", "", "")))
    print(pynmea2.GGA("GP", "GGA", ("184353.07", "1929.045", "S", "02410.506", "E", "4", "04", "2.6", "100.00", "M", "-33.9", "M", "", "0000")))


{"parse": parse, "render": render}[sys.argv[1]]()
