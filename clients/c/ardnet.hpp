// ardnet in C++: ports of a type, errors as exceptions. C++11; compile ardnet.c with it.
//
//     ardnet::In<double> u("u");
//     ardnet::Out<Joint> y("joint");
//     ardnet::init(argc, argv);
//     while (u.rec(1.0)) { y.value.position = 2 * u.value; y.send(); }
#ifndef ARDNET_HPP
#define ARDNET_HPP

#include <stdexcept>
#include <type_traits>

#include "ardnet.h"

namespace ardnet {

// Error is what ardnet_error of the C library says.
struct Error : std::runtime_error {
	Error() : std::runtime_error(ardnet_error()) {}
};

// Port holds one packet of plain type T: what is sent, or was received last.
template <typename T>
class Port {
	static_assert(std::is_trivially_copyable<T>::value, "packets are plain data");

public:
	T value{};

	Port(const Port &) = delete;
	Port &operator=(const Port &) = delete;

protected:
	Port(const char *name, int direction, int depth) : port(ardnet_create(name, direction, sizeof(T), depth)) {
		if (!port) throw Error();
	}
	static bool check(int result) {
		if (result < 0) throw Error();
		return result > 0;
	}
	struct ardnet_port *port;
};

// In is an input. depth 0: the newest packet counts; else up to depth packets wait.
template <typename T>
class In : public Port<T> {
public:
	// varies: T is a list with its count, of which only what is there arrives.
	explicit In(const char *name, int depth = 0, bool varies = false) : Port<T>(name, varies ? ARDNET_IN | ARDNET_VARIES : ARDNET_IN, depth) {}

	// rec waits at most timeout seconds, for ever where negative, and tells whether a packet came.
	bool rec(double timeout = -1) { return this->check(ardnet_rec(this->port, &this->value, timeout)); }
	// tryrec tells whether there was a new packet. It never waits.
	bool tryrec() { return this->check(ardnet_tryrec(this->port, &this->value)); }
	// age returns the seconds since value was acquired or else sent; it is negative before the first packet.
	double age() const { return ardnet_age(this->port); }
};

// Out is an output.
template <typename T>
class Out : public Port<T> {
public:
	// varies: T is a list with its count, of which sendPart sends what is there.
	explicit Out(const char *name, int depth = 0, bool varies = false) : Port<T>(name, varies ? ARDNET_OUT | ARDNET_VARIES : ARDNET_OUT, depth) {}

	// send publishes value. It never waits.
	void send() { this->check(ardnet_send(this->port, &this->value)); }
	// sendPart publishes the first bytes of value.
	void sendPart(std::size_t bytes) { this->check(ardnet_send_part(this->port, &this->value, bytes)); }
	// sendAged publishes value, which was acquired age seconds ago.
	void sendAged(double age, std::size_t bytes = sizeof(T)) { this->check(ardnet_send_aged(this->port, &this->value, bytes, age)); }
	void send(const T &packet) {
		this->value = packet;
		send();
	}
};

// init connects all ports as the options on the command line say, and takes those out of argv.
inline void init(int &argc, char **argv) {
	if (ardnet_init(&argc, argv) < 0) throw Error();
}

} // namespace ardnet

#endif
