/* ardnet: see ardnet.h. The layout of a segment is that of docs/reference/shared-memory.md. */
#define _GNU_SOURCE
#include "ardnet.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	SEATS = 16, SPARE = 2, LINE = 128, STAMP = 16, CDR = 4,
	AT_NUMBER = 128, AT_EPOCH = 136, AT_REFUSED = 144, AT_TABLE = 256, SEAT_BYTES = 128,
	SENDER_SEAT = 0, GUARD_SEAT = 1, FIRST_SEAT = 2,
	SEAT_FREE = 0, SEAT_WANTED = 1, SEAT_SERVED = 2,
	BELL_IDLE = 0, BELL_RUNG = 1, BELL_SLEEPING = 2,
	MAX_PORTS = 256, QUEUE_SPARE = 2
};
static const uint64_t MAGIC = 0x314b4e4c574e4953u;
static const int64_t RETRY = 100000000, WAKE = 20000000; /* ns */

struct ardnet_port {
	char name[201], link[201], path[PATH_MAX];
	int direction, depth;
	size_t size, packet; /* of the data; of a packet in memory, with stamp and CDR header */
	int fd, seat, fresh;
	uint8_t *mem;
	size_t length;
	int64_t tried;
	uint64_t epoch, last;
	int queue_ready[SEATS];
};

static struct ardnet_port *ports[MAX_PORTS];
static int port_count;
static char problem[600];

const char *ardnet_error(void) { return problem; }

static int fail(const char *what, const char *name, const char *why) {
	snprintf(problem, sizeof problem, "ardnet: %s \"%s\": %s", what, name, why);
	return ARDNET_ERROR;
}

static int64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static size_t round_up(size_t n) { return (n + LINE - 1) / LINE * LINE; }

static size_t body_bytes(const struct ardnet_port *p) {
	if (p->depth > 0) return 3 * LINE + (size_t)(p->depth + QUEUE_SPARE) * (LINE + round_up(p->packet));
	return LINE + 3 * round_up(p->packet);
}

#define WORD(mem, at) ((uint64_t *)(void *)((mem) + (at)))
#define HALF(mem, at) ((uint32_t *)(void *)((mem) + (at)))
#define LOAD(w) __atomic_load_n(w, __ATOMIC_SEQ_CST)
#define STORE(w, x) __atomic_store_n(w, x, __ATOMIC_SEQ_CST)
#define CAS(w, old, new) __atomic_compare_exchange_n(w, old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

static uint8_t *record(struct ardnet_port *p, int i) { return p->mem + AT_TABLE + i * SEAT_BYTES; }
static uint32_t *state_of(struct ardnet_port *p, int i) { return HALF(record(p, i), 0); }
static uint32_t *bell_of(struct ardnet_port *p, int i) { return HALF(record(p, i), 4); }
static uint64_t *served_of(struct ardnet_port *p, int i) { return WORD(record(p, i), 8); }
static uint64_t *missed_of(struct ardnet_port *p, int i) { return WORD(record(p, i), 16); }
static uint8_t *body_of(struct ardnet_port *p, int i) { return p->mem + AT_TABLE + SEATS * SEAT_BYTES + (size_t)i * body_bytes(p); }

/* Seats are locks of the kernel on bytes of the file: free again when their process ends, however it ends. */
static int lock_seat(int fd, int seat, int command, short type) {
	struct flock l;
	memset(&l, 0, sizeof l);
	l.l_type = type, l.l_whence = SEEK_SET, l.l_start = seat, l.l_len = 1;
	if (fcntl(fd, command, &l) < 0) return 0;
	return command == F_OFD_GETLK ? l.l_type != F_UNLCK : 1;
}
static int take_seat(int fd, int seat) { return lock_seat(fd, seat, F_OFD_SETLK, F_WRLCK); }
static int seat_taken(int fd, int seat) { return lock_seat(fd, seat, F_OFD_GETLK, F_WRLCK); }

/* The newest packet: three slots; one word says whose each is (bits 0-1 the sender's, 2-3 the middle one's, 4-5 the
 * receiver's) and, bit 6, whether the middle one is new. */
static uint8_t *latest_slot(struct ardnet_port *p, uint8_t *body, uint64_t i) { return body + LINE + ((i & 3) % 3) * round_up(p->packet); }

static void latest_publish(struct ardnet_port *p, uint8_t *body, const uint8_t *packet) {
	uint64_t s = LOAD(WORD(body, 0));
	memcpy(latest_slot(p, body, s), packet, p->packet);
	while (!CAS(WORD(body, 0), &s, (s & 3u << 4) | (s >> 2 & 3) | (s & 3) << 2 | 64))
		;
}

static uint8_t *latest_fetch(struct ardnet_port *p, uint8_t *body, int *fresh) {
	uint64_t s = LOAD(WORD(body, 0));
	for (;;) {
		if (!(s & 64)) {
			*fresh = 0;
			return latest_slot(p, body, s >> 4);
		}
		if (CAS(WORD(body, 0), &s, (s & 3) | (s >> 4 & 3) << 2 | (s >> 2 & 3) << 4)) {
			*fresh = 1;
			return latest_slot(p, body, s >> 2);
		}
	}
}

/* A queue: head, tail and the count of dropped packets, then the slots, each with its turn (Vyukov 2010). */
static uint64_t *queue_turn(struct ardnet_port *p, uint8_t *body, uint64_t i) { return WORD(body, 3 * LINE + i * (LINE + round_up(p->packet))); }

static void queue_reset(struct ardnet_port *p, uint8_t *body) {
	for (int k = 0; k < 3; k++) STORE(WORD(body, k * LINE), 0);
	for (int i = 0; i < p->depth + QUEUE_SPARE; i++) STORE(queue_turn(p, body, (uint64_t)i), (uint64_t)i);
}

static void queue_push(struct ardnet_port *p, uint8_t *body, const uint8_t *packet) {
	uint64_t n = (uint64_t)(p->depth + QUEUE_SPARE), tail = LOAD(WORD(body, LINE)), head = LOAD(WORD(body, 0));
	if (tail - head >= (uint64_t)p->depth && CAS(WORD(body, 0), &head, head + 1)) {
		STORE(queue_turn(p, body, head % n), head + n);
		__atomic_add_fetch(WORD(body, 2 * LINE), 1, __ATOMIC_SEQ_CST);
	}
	uint64_t *turn = queue_turn(p, body, tail % n);
	if (LOAD(turn) != tail) {
		__atomic_add_fetch(WORD(body, 2 * LINE), 1, __ATOMIC_SEQ_CST);
		return;
	}
	memcpy((uint8_t *)turn + LINE, packet, p->packet);
	STORE(turn, tail + 1);
	STORE(WORD(body, LINE), tail + 1);
}

static int queue_pop(struct ardnet_port *p, uint8_t *body, uint8_t *packet) {
	uint64_t n = (uint64_t)(p->depth + QUEUE_SPARE), head = LOAD(WORD(body, 0));
	do {
		if (head >= LOAD(WORD(body, LINE))) return 0;
	} while (!CAS(WORD(body, 0), &head, head + 1));
	uint64_t *turn = queue_turn(p, body, head % n);
	memcpy(packet, (uint8_t *)turn + LINE, p->packet);
	STORE(turn, head + n);
	return 1;
}

static void ring(struct ardnet_port *p, int i) {
	if (__atomic_exchange_n(bell_of(p, i), BELL_RUNG, __ATOMIC_SEQ_CST) == BELL_SLEEPING)
		syscall(SYS_futex, bell_of(p, i), FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void sleep_at(struct ardnet_port *p, int64_t ns) {
	uint32_t *bell = bell_of(p, p->seat), rung = BELL_RUNG, idle = BELL_IDLE, sleeping = BELL_SLEEPING;
	if (CAS(bell, &rung, BELL_IDLE) || !CAS(bell, &idle, BELL_SLEEPING)) return;
	struct timespec t = {ns / 1000000000, ns % 1000000000};
	syscall(SYS_futex, bell, FUTEX_WAIT, BELL_SLEEPING, &t, NULL, 0);
	rung = BELL_RUNG;
	if (!CAS(bell, &rung, BELL_IDLE)) CAS(bell, &sleeping, BELL_IDLE);
}

/* make_segment makes a segment whole before it gets its name. */
static int make_segment(struct ardnet_port *p) {
	char part[PATH_MAX + 40], folder[PATH_MAX];
	snprintf(folder, sizeof folder, "%s", p->path);
	for (char *c = folder + 1; *c; c++)
		if (*c == '/') {
			*c = 0;
			if (mkdir(folder, 0700) < 0 && errno != EEXIST) return fail("link", p->link, strerror(errno));
			*c = '/';
		}
	snprintf(part, sizeof part, "%s.part-%d", p->path, (int)getpid());
	int fd = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) return fail("link", p->link, strerror(errno));
	uint8_t head[64];
	memset(head, 0, sizeof head);
	memcpy(head, &MAGIC, 8);
	*HALF(head, 8) = 1;
	*HALF(head, 12) = SEATS;
	*WORD(head, 16) = p->size + CDR;
	*HALF(head, 24) = (uint32_t)p->depth;
	int ok = fallocate(fd, 0, 0, (off_t)p->length) == 0 && pwrite(fd, head, sizeof head, 0) == (ssize_t)sizeof head;
	ok = ok && (link(part, p->path) == 0 || errno == EEXIST || errno == ENOENT);
	int code = errno;
	unlink(part);
	close(fd);
	return ok ? 1 : fail("link", p->link, strerror(code));
}

/* same reports whether the path still names the open file. */
static int same(const char *path, int fd) {
	struct stat a, b;
	return stat(path, &a) == 0 && fstat(fd, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* unused removes a segment that nobody uses. */
static int unused(struct ardnet_port *p, int fd) {
	if (!take_seat(fd, GUARD_SEAT)) return 0;
	for (int seat = 0; seat < FIRST_SEAT + SEATS; seat++)
		if (seat != GUARD_SEAT && seat_taken(fd, seat)) return 0;
	return same(p->path, fd) && unlink(p->path) == 0;
}

static int check_segment(struct ardnet_port *p, int fd) {
	struct stat st;
	uint8_t head[64];
	if (fstat(fd, &st) < 0 || st.st_size < AT_TABLE || pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head || memcmp(head, &MAGIC, 8) != 0)
		return fail("link", p->link, "its file is no link of sinew");
	char text[200];
	if (*HALF(head, 8) != 1) {
		snprintf(text, sizeof text, "the peer is of another version of sinew");
	} else if (*WORD(head, 16) != p->size + CDR) {
		snprintf(text, sizeof text, "the peer's packets have %llu bytes, here %zu", (unsigned long long)*WORD(head, 16) - CDR, p->size);
	} else if (*HALF(head, 24) != (uint32_t)p->depth || (size_t)st.st_size != p->length) {
		snprintf(text, sizeof text, "the peer's link is buffered for %u packets, here %d", *HALF(head, 24), p->depth);
	} else {
		return 1;
	}
	fail("link", p->link, text);
	int64_t refused = now(); /* the other side tells of it */
	if (*HALF(head, 8) == 1 && pwrite(fd, &refused, sizeof refused, AT_REFUSED) < 0) return ARDNET_ERROR;
	return unused(p, fd) ? 0 : ARDNET_ERROR;
}

/* connect_port opens the segment and takes a seat: 1, or ARDNET_ERROR. */
static int connect_port(struct ardnet_port *p) {
	p->tried = now();
	for (int attempt = 0; attempt < 100; attempt++) {
		int fd = open(p->path, O_RDWR | O_CLOEXEC);
		if (fd < 0) {
			if (errno != ENOENT) return fail("link", p->link, strerror(errno));
			if (make_segment(p) < 0) return ARDNET_ERROR;
			continue;
		}
		int ok = check_segment(p, fd), seat = SENDER_SEAT;
		if (ok == 1 && p->direction == ARDNET_IN) {
			for (seat = FIRST_SEAT; seat < FIRST_SEAT + SEATS && !take_seat(fd, seat); seat++)
				;
			if (seat == FIRST_SEAT + SEATS) ok = fail("link", p->link, "it has too many receivers");
		} else if (ok == 1 && !take_seat(fd, SENDER_SEAT)) {
			ok = fail("link", p->link, "another process sends on it");
		}
		if (ok == 1 && !seat_taken(fd, GUARD_SEAT) && same(p->path, fd)) { /* else somebody removes it */
			p->mem = mmap(NULL, p->length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
			if (p->mem == MAP_FAILED) {
				p->mem = NULL;
				close(fd);
				return fail("link", p->link, strerror(errno));
			}
			p->fd = fd, p->fresh = 1, p->seat = seat - FIRST_SEAT;
			if (p->direction == ARDNET_OUT) {
				p->epoch = __atomic_add_fetch(WORD(p->mem, AT_EPOCH), 1, __ATOMIC_SEQ_CST);
				memset(p->queue_ready, 0, sizeof p->queue_ready);
			} else {
				STORE(bell_of(p, p->seat), BELL_IDLE);
				p->epoch = 0;
				STORE(state_of(p, p->seat), p->depth ? SEAT_WANTED : SEAT_SERVED);
			}
			return 1;
		}
		close(fd);
		if (ok < 0) return ARDNET_ERROR;
	}
	return fail("link", p->link, "other processes keep replacing it");
}

static int ready(struct ardnet_port *p) {
	if (p->mem) return 1;
	if (now() - p->tried < RETRY) return 0;
	return connect_port(p) > 0;
}

struct ardnet_port *ardnet_create(const char *port, int direction, size_t size, int depth) {
	struct ardnet_port *p = NULL;
	if (!port || !*port || strlen(port) >= sizeof p->name || strchr(port, '/') || port[0] == '.')
		fail("port", port ? port : "", "wants a name of letters, digits, . _ and -");
	else if (size == 0 || depth < 0 || (direction != ARDNET_IN && direction != ARDNET_OUT))
		fail("port", port, "wants a size above 0, a depth from 0, ARDNET_IN or ARDNET_OUT");
	else if (port_count == MAX_PORTS || !(p = calloc(1, sizeof *p)))
		fail("port", port, "too many ports");
	if (!p) return NULL;
	snprintf(p->name, sizeof p->name, "%s", port);
	snprintf(p->link, sizeof p->link, "%s", port);
	p->direction = direction, p->size = size, p->depth = depth, p->fd = -1;
	p->packet = size + CDR + STAMP;
	p->length = AT_TABLE + SEATS * (SEAT_BYTES + body_bytes(p));
	return ports[port_count++] = p;
}

int ardnet_init(int *argc, char **argv) {
	const char *system = "default";
	int left = 1;
	for (int i = 1; i < *argc; i++) {
		int more = i + 1 < *argc;
		if (more && strcmp(argv[i], "-ardnet.system") == 0) {
			system = argv[++i];
		} else if (more && strcmp(argv[i], "-ardnet.port") == 0) {
			const char *equals = strchr(argv[++i], '=');
			int known = 0;
			for (int k = 0; equals && k < port_count; k++)
				if (strlen(ports[k]->name) == (size_t)(equals - argv[i]) && strncmp(ports[k]->name, argv[i], (size_t)(equals - argv[i])) == 0) {
					snprintf(ports[k]->link, sizeof ports[k]->link, "%s", equals + 1);
					known = 1;
				}
			if (!known) return fail("option -ardnet.port", argv[i], "wants PORT=LINK with a port of this program");
		} else {
			argv[left++] = argv[i];
		}
	}
	*argc = left;
	argv[left] = NULL;
	if (strchr(system, '/') || system[0] == '.') return fail("system", system, "is no name of a system");
	for (int k = 0; k < port_count; k++) {
		struct ardnet_port *p = ports[k];
		if (strchr(p->link, '/') || p->link[0] == '.' || !p->link[0]) return fail("link", p->link, "is no name of a link");
		snprintf(p->path, sizeof p->path, "/dev/shm/sinew-%u/%s/%s", (unsigned)getuid(), system, p->link);
		if (connect_port(p) < 0) fprintf(stderr, "%s; it is tried again\n", problem);
	}
	return left;
}

int ardnet_send(struct ardnet_port *p, const void *data) {
	static const uint8_t cdr[CDR] = {0, 1, 0, 0};
	if (!ready(p)) return ARDNET_ERROR;
	uint8_t small[4096], *packet = p->packet <= sizeof small ? small : malloc(p->packet);
	if (!packet) return fail("port", p->name, "no memory");
	uint64_t number = __atomic_add_fetch(WORD(p->mem, AT_NUMBER), 1, __ATOMIC_SEQ_CST), sent = (uint64_t)now();
	memcpy(packet, &number, 8);
	memcpy(packet + 8, &sent, 8);
	memcpy(packet + STAMP, cdr, CDR);
	memcpy(packet + STAMP + CDR, data, p->size);
	int spare = SPARE;
	for (int i = 0; i < SEATS; i++) {
		uint32_t state = LOAD(state_of(p, i));
		if (state == SEAT_FREE && --spare < 0) continue;
		uint8_t *body = body_of(p, i);
		if (p->depth == 0) {
			if (LOAD(served_of(p, i)) == 0) {
				STORE(WORD(body, 0), 0 | 1u << 2 | 2u << 4);
				STORE(served_of(p, i), p->epoch);
			}
			latest_publish(p, body, packet);
		} else {
			if (state == SEAT_WANTED) {
				queue_reset(p, body);
				p->queue_ready[i] = 1;
				STORE(served_of(p, i), p->epoch);
				STORE(state_of(p, i), SEAT_SERVED);
			}
			if (state == SEAT_FREE || !p->queue_ready[i]) continue;
			queue_push(p, body, packet);
			STORE(missed_of(p, i), LOAD(WORD(body, 2 * LINE)));
		}
		ring(p, i);
	}
	if (packet != small) free(packet);
	return 1;
}

int ardnet_tryrec(struct ardnet_port *p, void *data) {
	if (!ready(p)) return p->mem ? ARDNET_TIMEOUT : ARDNET_ERROR;
	uint8_t *body = body_of(p, p->seat);
	uint64_t number;
	if (p->depth == 0) {
		if (LOAD(served_of(p, p->seat)) == 0) return ARDNET_TIMEOUT; /* no sender has been there */
		int fresh;
		uint8_t *packet = latest_fetch(p, body, &fresh);
		memcpy(&number, packet, 8);
		int first = p->fresh;
		p->fresh = 0;
		if (!fresh && (!first || number == 0 || number != LOAD(WORD(p->mem, AT_NUMBER)))) return ARDNET_TIMEOUT;
		if (number == p->last) return ARDNET_TIMEOUT;
		memcpy(data, packet + STAMP + CDR, p->size);
	} else {
		uint64_t epoch = LOAD(WORD(p->mem, AT_EPOCH));
		if (p->epoch != epoch || epoch == 0) {
			uint32_t served = SEAT_SERVED;
			if (LOAD(state_of(p, p->seat)) != SEAT_SERVED || LOAD(served_of(p, p->seat)) != epoch) {
				CAS(state_of(p, p->seat), &served, SEAT_WANTED); /* a new sender has come */
				return ARDNET_TIMEOUT;
			}
			p->epoch = epoch;
		}
		uint8_t *packet = malloc(p->packet);
		if (!packet) return fail("port", p->name, "no memory");
		int got = queue_pop(p, body, packet);
		if (got) {
			memcpy(&number, packet, 8);
			memcpy(data, packet + STAMP + CDR, p->size);
		}
		free(packet);
		if (!got) return ARDNET_TIMEOUT;
	}
	p->last = number;
	return 1;
}

int ardnet_rec(struct ardnet_port *p, void *data, double timeout) {
	int64_t end = timeout < 0 ? INT64_MAX : now() + (int64_t)(timeout * 1e9);
	for (;;) {
		int got = ardnet_tryrec(p, data);
		if (got > 0) return got;
		int64_t rest = end - now();
		if (rest <= 0) return got;
		if (rest > WAKE) rest = WAKE;
		if (p->mem) {
			sleep_at(p, rest);
		} else {
			struct timespec nap = {0, 1000000};
			nanosleep(&nap, NULL);
		}
	}
}
