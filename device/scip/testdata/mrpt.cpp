// Reads scans by the driver of MRPT: mrpt serial PATH | mrpt tcp HOST PORT. Prints the number of beams, the aperture in rad, and every
// hundredth range in m of each of three scans, 0 where it is invalid.
#include <mrpt/hwdrivers/CHokuyoURG.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

int main(int argc, char** argv)
{
	mrpt::hwdrivers::CHokuyoURG scanner;
	scanner.setVerbosityLevel(mrpt::system::LVL_ERROR);
	if (argc == 3)
		scanner.setSerialPort(argv[2]);
	else if (argc == 4)
		scanner.setIPandPort(argv[2], std::atoi(argv[3]));
	else
		return 2;
	if (!scanner.turnOn()) {
		std::printf("turnOn failed\n");
		return 1;
	}
	for (int scans = 0, tries = 0; scans < 3; ++tries) {
		mrpt::obs::CObservation2DRangeScan scan;
		bool there = false, broken = false;
		scanner.doProcessSimple(there, scan, broken);
		if (broken || tries > 10000) {
			std::printf("hardware error\n");
			return 1;
		}
		if (!there) {
			std::this_thread::sleep_for(std::chrono::milliseconds(1));
			continue;
		}
		std::printf("%zu %.4f", scan.getScanSize(), scan.aperture);
		for (size_t i = 0; i < scan.getScanSize(); i += 100)
			std::printf(" %.3f", scan.getScanRangeValidity(i) ? scan.getScanRange(i) : 0.0);
		std::printf("\n");
		++scans;
	}
	scanner.turnOff();
	return 0;
}
