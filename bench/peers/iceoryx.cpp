// iceoryx 2.0: a publisher and a subscriber of the newest packet; asleep they wait in a wait set. Wants iox-roudi to run.
#include "pingpong.h"

#include "iceoryx_posh/popo/publisher.hpp"
#include "iceoryx_posh/popo/subscriber.hpp"
#include "iceoryx_posh/popo/wait_set.hpp"
#include "iceoryx_posh/runtime/posh_runtime.hpp"

struct Packet {
	char bytes[PACKET];
};

static iox::popo::Publisher<Packet> *out;
static iox::popo::Subscriber<Packet> *in;
static iox::popo::WaitSet<1> *waiting;

static void send_packet(const void *packet) {
	out->loan().and_then([&](auto &sample) {
		memcpy(sample->bytes, packet, PACKET);
		sample.publish();
	});
}

static int receive_packet(void *packet, int spin) {
	if (!spin && !in->hasData()) waiting->timedWait(iox::units::Duration::fromMilliseconds(10));
	int got = 0;
	in->take().and_then([&](auto &sample) {
		memcpy(packet, sample->bytes, PACKET);
		got = 1;
	});
	return got;
}

int main(int argc, char **argv) {
	if (argc < 4) return 2;
	bool is_ping = strcmp(argv[1], "ping") == 0;
	std::string name = std::string(argv[2]) + "-" + argv[1];
	iox::runtime::PoshRuntime::initRuntime({iox::cxx::TruncateToCapacity, name});
	iox::capro::IdString_t system{iox::cxx::TruncateToCapacity, argv[2]};
	iox::popo::SubscriberOptions newest;
	newest.queueCapacity = 1;
	iox::capro::IdString_t there("there"), back("back");
	iox::popo::Publisher<Packet> publisher({"bench", system, is_ping ? there : back});
	iox::popo::Subscriber<Packet> subscriber({"bench", system, is_ping ? back : there}, newest);
	iox::popo::WaitSet<1> wait_set;
	wait_set.attachState(subscriber, iox::popo::SubscriberState::HAS_DATA).or_else([](auto) { exit(1); });
	out = &publisher, in = &subscriber, waiting = &wait_set;
	struct ends e = {send_packet, receive_packet};
	return pingpong(argc, argv, e);
}
