/* CycloneDDS: a writer and a reader of the newest packet, best effort; asleep they wait in a wait set. packet.h is made by
 * idlc of packet.idl. */
#include "dds/dds.h"
#include "packet.h"
#include "pingpong.h"

static dds_entity_t out, in, waiting;

static void send_packet(const void *packet) { dds_write(out, packet); }

static int receive_packet(void *packet, int spin) {
	void *samples[1] = {packet};
	dds_sample_info_t info[1];
	int got = dds_take(in, samples, info, 1, 1) > 0 && info[0].valid_data;
	if (got || spin) return got;
	dds_attach_t woken[1];
	dds_waitset_wait(waiting, woken, 1, DDS_MSECS(10));
	return dds_take(in, samples, info, 1, 1) > 0 && info[0].valid_data;
}

int main(int argc, char **argv) {
	if (argc < 4) return 2;
	int is_ping = strcmp(argv[1], "ping") == 0;
	char there[300], back[300];
	snprintf(there, sizeof there, "%s_there", argv[2]);
	snprintf(back, sizeof back, "%s_back", argv[2]);
	dds_entity_t participant = dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL);
	dds_qos_t *newest = dds_create_qos();
	dds_qset_history(newest, DDS_HISTORY_KEEP_LAST, 1);
	dds_qset_reliability(newest, DDS_RELIABILITY_BEST_EFFORT, 0);
	dds_entity_t to = dds_create_topic(participant, &Packet_desc, is_ping ? there : back, NULL, NULL);
	dds_entity_t from = dds_create_topic(participant, &Packet_desc, is_ping ? back : there, NULL, NULL);
	out = dds_create_writer(participant, to, newest, NULL);
	in = dds_create_reader(participant, from, newest, NULL);
	waiting = dds_create_waitset(participant);
	dds_set_status_mask(in, DDS_DATA_AVAILABLE_STATUS);
	dds_waitset_attach(waiting, in, in);
	if (participant < 0 || out < 0 || in < 0 || waiting < 0) return 1;
	struct ends e = {send_packet, receive_packet};
	return pingpong(argc, argv, e);
}
