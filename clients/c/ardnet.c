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
	MAX_PORTS = 256, QUEUE_SPARE = 2, MAX_NAME = 200, MAX_PACKET = 64 << 20,
	LARGE = 64 << 10, VERSION = 2, AT_VARIES = 64, HEAD = 68, LATEST_START = 0 | 1 << 2 | 2 << 4, TRIES = 1000, RECLAIM = 64, RESTART_SHIFT = 48
};
static const uint64_t MAGIC = 0x314b4e4c574e4953u;
static const int64_t RETRY = 100000000, WAKE = 20000000; /* ns */

struct ardnet_port {
	char name[MAX_NAME + 1], link[MAX_NAME + 1], path[PATH_MAX];
	int direction, depth, varies;
	size_t size, packet; /* of the data; of a packet in memory, with stamp and CDR header */
	int fd, seat, fresh;
	uint8_t *mem;
	size_t length;
	int64_t tried;
	uint64_t epoch, number, last; /* number: of the last packet sent; last: of the last one received */
	int64_t acquired;             /* when the value of the last one received was; 0: none was received */
	int idle;                     /* tries in a row that found nothing */
	int queue_ready[SEATS];
	uint64_t restarts; /* of queues, which gives their packets numbers of their own */
};

static struct ardnet_port *ports[MAX_PORTS];
static int port_count;
static char problem[600];

const char *ardnet_error(void) { return problem; }

static int fail(const char *what, const char *name, const char *why) {
	snprintf(problem, sizeof problem, "ardnet: %s \"%s\": %s", what, name, why);
	return ARDNET_ERROR;
}

/* refuse sets the error for a file or folder that is not used: why, and what to do. */
static int refuse(const char *path, const char *why) {
	snprintf(problem, sizeof problem, "ardnet: %.300s is not used: %.200s; remove it, as its owner or as root", path, why);
	return ARDNET_ERROR;
}

/* refuse_above is refuse for a folder in which private ones are. */
static int refuse_above(const char *path, const char *why) {
	snprintf(problem, sizeof problem, "ardnet: %.300s is not used: %.200s; chmod o-w it, or name another folder with SINEW_SHM", path, why);
	return ARDNET_ERROR;
}

/* check_own refuses what does not belong to this user alone: what another user made could lead anywhere. */
static int check_own(const char *path, const struct stat *st) {
	char why[120];
	if (st->st_uid != getuid())
		snprintf(why, sizeof why, "it belongs to user %u, not to user %u", (unsigned)st->st_uid, (unsigned)getuid());
	else if (st->st_mode & 077)
		snprintf(why, sizeof why, "its mode %04o lets other users in", (unsigned)(st->st_mode & 07777));
	else
		return 1;
	return refuse(path, why);
}

/* check_above refuses a folder, by its absolute path, if another user can replace this user's files in one of those above it. */
static int check_above(const char *path) {
	char folder[PATH_MAX], target[PATH_MAX], why[120];
	struct stat root, st;
	snprintf(folder, sizeof folder, "%s", path);
	if (stat("/", &root) < 0) return refuse("/", strerror(errno));
	for (char *end = strrchr(folder, '/'); folder[1]; end = strrchr(folder, '/')) {
		end[end == folder] = 0; /* the root keeps its slash */
		if (lstat(folder, &st) < 0) return refuse(folder, strerror(errno));
		if (st.st_uid != getuid() && st.st_uid != 0 && st.st_uid != root.st_uid) {
			snprintf(why, sizeof why, "it belongs to user %u and can be used to replace files of user %u", (unsigned)st.st_uid, (unsigned)getuid());
			return refuse_above(folder, why);
		}
		if (S_ISLNK(st.st_mode)) {
			if (!realpath(folder, target)) return refuse(folder, strerror(errno));
			strncat(target, "/.", sizeof target - strlen(target) - 1); /* the target itself is checked, too */
			if (check_above(target) < 0) return ARDNET_ERROR;
		} else if ((st.st_mode & 002) && !(st.st_mode & S_ISVTX)) {
			snprintf(why, sizeof why, "its mode %04o lets all users replace its contents", (unsigned)(st.st_mode & 07777));
			return refuse_above(folder, why);
		}
	}
	return 1;
}

/* check_folder refuses a folder that is not private: 1, 0 where there is none, or ARDNET_ERROR. */
static int check_folder(const char *path) {
	struct stat st;
	if (lstat(path, &st) < 0) return errno == ENOENT ? 0 : refuse(path, strerror(errno));
	if (S_ISLNK(st.st_mode)) return refuse(path, "it is a symbolic link");
	if (!S_ISDIR(st.st_mode)) return refuse(path, "it is not a folder");
	return check_own(path, &st);
}

/* private_folders checks the two folders above a segment, that of the user and that of the system, and those above, and makes the two
 * where make is set: 1, 0 where one is absent, or ARDNET_ERROR. */
static int private_folders(const char *segment, int make) {
	char folder[PATH_MAX];
	snprintf(folder, sizeof folder, "%s", segment);
	char *system = strrchr(folder, '/');
	*system = 0;
	char *user = strrchr(folder, '/');
	for (int level = 0; level < 2; level++) {
		*user = level ? '/' : 0;
		if (make && mkdir(folder, 0700) < 0 && errno != EEXIST) return refuse(folder, strerror(errno));
		int ok = check_folder(folder);
		if (ok != 1) return ok;
		if (level == 0 && check_above(folder) < 0) return ARDNET_ERROR;
	}
	return 1;
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

/* The newest packet: three slots; one word maps them to owners (bits 0-1 the sender's, 2-3 the middle one's, 4-5 the
 * receiver's) and, bit 6, whether the middle one is new. */
static uint8_t *latest_slot(struct ardnet_port *p, uint8_t *body, uint64_t i) { return body + LINE + ((i & 3) % 3) * round_up(p->packet); }

/* sound reports whether a state gives each slot to one side: any other was written by a damaged peer. */
static int sound(uint64_t s) {
	uint64_t a = s & 3, b = s >> 2 & 3, c = s >> 4 & 3;
	return s < 128 && a < 3 && b < 3 && c < 3 && a != b && b != c && a != c;
}

/* latest_size is where the bytes of the packet in a slot are kept; it belongs to the owner of the slot. */
static uint64_t *latest_size(uint8_t *body, uint64_t i) { return WORD(body, 8 + 8 * ((i & 3) % 3)); }

static void latest_publish(struct ardnet_port *p, uint8_t *body, const uint8_t *packet, size_t size) {
	uint64_t s = LOAD(WORD(body, 0));
	if (!sound(s)) STORE(WORD(body, 0), s = LATEST_START);
	memcpy(latest_slot(p, body, s), packet, size);
	*latest_size(body, s) = size;
	for (int i = 0; i < TRIES && sound(s); i++)
		if (CAS(WORD(body, 0), &s, (s & 3u << 4) | (s >> 2 & 3) | (s & 3) << 2 | 64)) return;
	STORE(WORD(body, 0), LATEST_START);
}

/* latest_fetch returns the slot with the newest packet, and its size there. */
static uint8_t *latest_fetch(struct ardnet_port *p, uint8_t *body, int *fresh, uint64_t *size) {
	uint64_t s = LOAD(WORD(body, 0));
	*fresh = 0;
	for (int i = 0; i < TRIES && sound(s); i++) {
		if (!(s & 64)) {
			*size = *latest_size(body, s >> 4);
			return latest_slot(p, body, s >> 4);
		}
		if (CAS(WORD(body, 0), &s, (s & 3) | (s >> 4 & 3) << 2 | (s >> 2 & 3) << 4)) {
			*fresh = 1, *size = *latest_size(body, s >> 2);
			return latest_slot(p, body, s >> 2);
		}
	}
	STORE(WORD(body, 0), LATEST_START);
	*size = *latest_size(body, LATEST_START >> 4);
	return latest_slot(p, body, LATEST_START >> 4);
}

/* latest_holds reports whether the slot is still the receiver's: it is asked after the copy. */
static int latest_holds(struct ardnet_port *p, uint8_t *body, const uint8_t *slot) {
	uint64_t s = LOAD(WORD(body, 0));
	return sound(s) && slot == latest_slot(p, body, s >> 4);
}

/* A queue: head, tail and the count of dropped packets, then the slots, each with its turn (Vyukov 2010) and the bytes of its packet. */
static uint64_t *queue_turn(struct ardnet_port *p, uint8_t *body, uint64_t i) { return WORD(body, 3 * LINE + i * (LINE + round_up(p->packet))); }

/* queue_restart makes a queue again and returns the number of its next packet. Numbers begin where no queue of this sender had any: a receiver that was in
 * the middle of a copy then never finds the turn of its packet again, also after the slot got another packet. */
static uint64_t queue_restart(struct ardnet_port *p, uint8_t *body) {
	uint64_t n = (uint64_t)(p->depth + QUEUE_SPARE), next = p->restarts++ << RESTART_SHIFT;
	STORE(WORD(body, 0), next);
	STORE(WORD(body, LINE), next);
	for (uint64_t i = 0; i < n; i++) STORE(queue_turn(p, body, (next + i) % n), next + i);
	return next;
}

static void queue_reset(struct ardnet_port *p, uint8_t *body) {
	STORE(WORD(body, 2 * LINE), 0);
	queue_restart(p, body);
}

static void queue_push(struct ardnet_port *p, uint8_t *body, const uint8_t *packet, size_t size) {
	uint64_t n = (uint64_t)(p->depth + QUEUE_SPARE), tail = LOAD(WORD(body, LINE)), head = LOAD(WORD(body, 0));
	if (tail - head > (uint64_t)p->depth) { /* damaged */
		tail = queue_restart(p, body);
	} else if (tail - head == (uint64_t)p->depth && CAS(WORD(body, 0), &head, head + 1)) {
		STORE(queue_turn(p, body, head % n), head + n);
		__atomic_add_fetch(WORD(body, 2 * LINE), 1, __ATOMIC_SEQ_CST);
	}
	uint64_t *turn = queue_turn(p, body, tail % n), now = LOAD(turn);
	if (now != tail) {
		__atomic_add_fetch(WORD(body, 2 * LINE), 1, __ATOMIC_SEQ_CST);
		if (now + n != tail + 1) queue_restart(p, body); /* not even a copy under way */
		return;
	}
	memcpy((uint8_t *)turn + LINE, packet, size);
	turn[1] = size;
	STORE(turn, tail + 1);
	STORE(WORD(body, LINE), tail + 1);
}

/* fits reports whether a packet of the link can have this many bytes in memory. */
static int fits(const struct ardnet_port *p, uint64_t size) {
	return size == p->packet || (p->varies && size > STAMP + CDR && size < p->packet);
}

/* queue_pop takes a packet and returns its size: 0 where there is none. */
static size_t queue_pop(struct ardnet_port *p, uint8_t *body, uint8_t *packet) {
	uint64_t n = (uint64_t)(p->depth + QUEUE_SPARE), head = LOAD(WORD(body, 0));
	for (int i = 0; i < TRIES; i++) {
		uint64_t waiting = LOAD(WORD(body, LINE)) - head, *turn = queue_turn(p, body, head % n), mine = head + 1;
		if (waiting == 0) {
			uint64_t stuck = head + 1 - n; /* claims that this side is in the middle of a copy */
			CAS(turn, &stuck, head);
			return 0;
		}
		if (waiting > (uint64_t)p->depth && LOAD(WORD(body, 0)) == head) { /* damaged */
			CAS(WORD(body, 0), &head, head + waiting);
			return 0;
		}
		if (!CAS(WORD(body, 0), &head, head + 1)) continue; /* the sender discarded it */
		if (LOAD(turn) != mine) return 0;
		uint64_t size = turn[1];
		int whole = fits(p, size);
		if (whole) memcpy(packet, (uint8_t *)turn + LINE, size);
		return CAS(turn, &mine, head + n) && whole ? size : 0; /* else the slot was taken during the copy */
	}
	return 0;
}

static void ring(struct ardnet_port *p, int i) {
	if (__atomic_exchange_n(bell_of(p, i), BELL_RUNG, __ATOMIC_SEQ_CST) == BELL_SLEEPING)
		syscall(SYS_futex, bell_of(p, i), FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void sleep_at(struct ardnet_port *p, int64_t ns) {
	uint32_t *bell = bell_of(p, p->seat), rung = BELL_RUNG, idle = BELL_IDLE, sleeping = BELL_SLEEPING;
	if (CAS(bell, &rung, BELL_IDLE)) return;
	if (!CAS(bell, &idle, BELL_SLEEPING)) { /* it rang just now, or its word is damaged */
		STORE(bell, BELL_IDLE);
		return;
	}
	struct timespec t = {ns / 1000000000, ns % 1000000000};
	syscall(SYS_futex, bell, FUTEX_WAIT, BELL_SLEEPING, &t, NULL, 0);
	if (!CAS(bell, &sleeping, BELL_IDLE)) STORE(bell, BELL_IDLE);
}

/* make_segment makes a segment whole before it gets its name. */
static int make_segment(struct ardnet_port *p) {
	char part[PATH_MAX + 40];
	int made = private_folders(p->path, 1);
	if (made < 0) return ARDNET_ERROR;
	if (made == 0) return 1; /* removed meanwhile */
	snprintf(part, sizeof part, "%s.part-%d", p->path, (int)getpid());
	int fd = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 && errno == ENOENT) return 1; /* its folder was removed meanwhile */
	if (fd < 0) return fail("link", p->link, strerror(errno));
	uint8_t head[HEAD];
	memset(head, 0, sizeof head);
	memcpy(head, &MAGIC, 8);
	*HALF(head, 8) = VERSION;
	*HALF(head, AT_VARIES) = (uint32_t)p->varies;
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

/* unused removes an unused segment. */
static int unused(struct ardnet_port *p, int fd) {
	if (!take_seat(fd, GUARD_SEAT)) return 0;
	for (int seat = 0; seat < FIRST_SEAT + SEATS; seat++)
		if (seat != GUARD_SEAT && seat_taken(fd, seat)) return 0;
	return same(p->path, fd) && unlink(p->path) == 0;
}

static int check_segment(struct ardnet_port *p, int fd) {
	struct stat st;
	uint8_t head[HEAD];
	if (fstat(fd, &st) == 0 && check_own(p->path, &st) < 0) return ARDNET_ERROR;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < AT_TABLE || pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head || memcmp(head, &MAGIC, 8) != 0)
		return fail("link", p->link, "its file is no link of sinew");
	char text[200];
	if (*HALF(head, 8) != VERSION) {
		snprintf(text, sizeof text, "the peer is of another version of sinew");
	} else if (*WORD(head, 16) != p->size + CDR) {
		snprintf(text, sizeof text, "the peer's packets have %llu bytes, here %zu", (unsigned long long)*WORD(head, 16) - CDR, p->size);
	} else if (*HALF(head, AT_VARIES) != (uint32_t)p->varies) {
		snprintf(text, sizeof text, "%s", p->varies ? "its packets all have one size: create the port without ARDNET_VARIES"
			: "its packets have sizes of their own: create the port with ARDNET_VARIES");
	} else if (*HALF(head, 24) != (uint32_t)p->depth || (size_t)st.st_size != p->length) {
		snprintf(text, sizeof text, "the peer's link is buffered for %u packets, here %d", *HALF(head, 24), p->depth);
	} else {
		return 1;
	}
	fail("link", p->link, text);
	int64_t refused = now(); /* the other side reports it */
	if (*HALF(head, 8) == VERSION && pwrite(fd, &refused, sizeof refused, AT_REFUSED) < 0) return ARDNET_ERROR;
	return unused(p, fd) ? 0 : ARDNET_ERROR;
}

/* connect_port opens the segment and takes a seat: 1, or ARDNET_ERROR. */
static int connect_port(struct ardnet_port *p) {
	p->tried = now();
	for (int attempt = 0; attempt < 100; attempt++) {
		if (private_folders(p->path, 0) < 0) return ARDNET_ERROR;
		int fd = open(p->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
		if (fd < 0) {
			if (errno == ELOOP) return refuse(p->path, "it is a symbolic link");
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
		if (ok == 1 && !seat_taken(fd, GUARD_SEAT) && same(p->path, fd)) { /* otherwise another process removes it */
			p->mem = mmap(NULL, p->length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
			if (p->mem == MAP_FAILED) {
				p->mem = NULL;
				close(fd);
				return fail("link", p->link, strerror(errno));
			}
			p->fd = fd, p->fresh = 1, p->seat = seat - FIRST_SEAT;
			if (p->direction == ARDNET_OUT) {
				p->epoch = __atomic_add_fetch(WORD(p->mem, AT_EPOCH), 1, __ATOMIC_SEQ_CST);
				p->number = LOAD(WORD(p->mem, AT_NUMBER));
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

/* named reports whether a text is a name: 1 to 200 letters, digits, . _ and -, no . at the start. */
static int named(const char *text) {
	size_t n = strlen(text);
	return n > 0 && n <= MAX_NAME && text[0] != '.' &&
		strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == n;
}

static const char *const wants_name = "wants a name of at most 200 letters, digits, . _ and -, and no . at the start";

struct ardnet_port *ardnet_create(const char *port, int direction, size_t size, int depth) {
	struct ardnet_port *p = NULL;
	int varies = (direction & ARDNET_VARIES) != 0;
	direction &= ~ARDNET_VARIES;
	if (!port || !named(port))
		fail("port", port ? port : "", wants_name);
	else if (size == 0 || size > MAX_PACKET - CDR || depth < 0 || (direction != ARDNET_IN && direction != ARDNET_OUT))
		fail("port", port, "wants a size of 1 byte to 64 MB, a depth from 0, ARDNET_IN or ARDNET_OUT");
	else if (port_count == MAX_PORTS || !(p = calloc(1, sizeof *p)))
		fail("port", port, "too many ports");
	if (!p) return NULL;
	snprintf(p->name, sizeof p->name, "%s", port);
	snprintf(p->link, sizeof p->link, "%s", port);
	p->direction = direction, p->size = size, p->depth = depth, p->varies = varies, p->fd = -1;
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
					if (!named(equals + 1)) return fail("link", equals + 1, wants_name);
					strcpy(ports[k]->link, equals + 1);
					known = 1;
				}
			if (!known) return fail("option -ardnet.port", argv[i], "wants PORT=LINK with a port of this program");
		} else {
			argv[left++] = argv[i];
		}
	}
	*argc = left;
	argv[left] = NULL;
	if (!named(system)) return fail("system", system, wants_name);
	for (int k = 0; k < port_count; k++) {
		struct ardnet_port *p = ports[k];
		const char *folder = getenv("SINEW_SHM");
		char here[PATH_MAX] = "";
		size_t n = folder ? strlen(folder) : 0;
		while (n > 1 && folder[n - 1] == '/') n--; /* which would lead through a link */
		if (n && *folder != '/' && !getcwd(here, sizeof here)) return fail("link", p->link, strerror(errno));
		int length = n ? snprintf(p->path, sizeof p->path, "%s%s%.*s/%s/%s", here, *here ? "/" : "", (int)n, folder, system, p->link)
			: snprintf(p->path, sizeof p->path, "/dev/shm/sinew-%u/%s/%s", (unsigned)getuid(), system, p->link);
		if (length >= (int)sizeof p->path) return fail("link", p->link, "its path is too long: SINEW_SHM names a long folder");
		if (connect_port(p) < 0) fprintf(stderr, "%s; it is tried again\n", problem);
	}
	return left;
}

int ardnet_send(struct ardnet_port *p, const void *data) { return ardnet_send_aged(p, data, p->size, 0); }

int ardnet_send_part(struct ardnet_port *p, const void *data, size_t bytes) { return ardnet_send_aged(p, data, bytes, 0); }

int ardnet_send_aged(struct ardnet_port *p, const void *data, size_t bytes, double age) {
	static const uint8_t cdr[CDR] = {0, 1, 0, 0};
	int64_t time = now();
	if (!(age >= 0 && age * 1e9 < (double)time)) return fail("port", p->name, "wants an age of 0 s or more, and less than the time since the start of this computer");
	if (!fits(p, bytes + STAMP + CDR)) return fail("port", p->name, "wants a packet of its size or, with ARDNET_VARIES, of 1 byte to its size");
	if (!ready(p)) return ARDNET_ERROR;
	uint8_t small[4096], *packet = p->packet <= sizeof small ? small : malloc(p->packet);
	if (!packet) return fail("port", p->name, "no memory");
	uint64_t number = ++p->number, sent = (uint64_t)(time - (int64_t)(age * 1e9));
	STORE(WORD(p->mem, AT_NUMBER), number);
	memcpy(packet, &number, 8);
	memcpy(packet + 8, &sent, 8);
	memcpy(packet + STAMP, cdr, CDR);
	memcpy(packet + STAMP + CDR, data, bytes);
	bytes += STAMP + CDR;
	int spare = SPARE;
	if (bytes > LARGE) {
		spare = 1;
		for (int i = 0; i < SEATS; i++)
			if (LOAD(state_of(p, i)) != SEAT_FREE) spare = 0;
	}
	for (int i = 0; i < SEATS; i++) {
		uint32_t state = LOAD(state_of(p, i));
		if (state == SEAT_FREE && --spare < 0) continue;
		uint8_t *body = body_of(p, i);
		if (p->depth == 0) {
			if (LOAD(served_of(p, i)) == 0) {
				STORE(WORD(body, 0), LATEST_START);
				STORE(served_of(p, i), p->epoch);
			}
			latest_publish(p, body, packet, bytes);
		} else {
			if (state == SEAT_WANTED) {
				queue_reset(p, body);
				p->queue_ready[i] = 1;
				STORE(WORD(p->mem, AT_EPOCH), p->epoch); /* a damaged peer may have written another */
				STORE(served_of(p, i), p->epoch);
				STORE(state_of(p, i), SEAT_SERVED);
			}
			if (state == SEAT_FREE || !p->queue_ready[i]) continue;
			queue_push(p, body, packet, bytes);
			STORE(missed_of(p, i), LOAD(WORD(body, 2 * LINE)));
		}
		ring(p, i);
	}
	if (packet != small) free(packet);
	return 1;
}

/* take copies the packet that is next with its stamp and returns its size; 0 where none is new and whole. */
static size_t take(struct ardnet_port *p, uint8_t *body, uint8_t *packet) {
	if (p->depth > 0) return queue_pop(p, body, packet);
	int fresh, first = p->fresh;
	uint64_t number, again, size;
	uint8_t *slot = latest_fetch(p, body, &fresh, &size);
	memcpy(&number, slot, 8);
	p->fresh = 0;
	if (!fresh && !first) return 0;
	if (first && (number == 0 || number != LOAD(WORD(p->mem, AT_NUMBER)))) return 0; /* the seat was not served recently */
	if (!fits(p, size)) return 0;
	memcpy(packet, slot, size);
	memcpy(&again, slot, 8);
	return latest_holds(p, body, slot) && again == number ? size : 0;
}

/* reclaim makes the sender serve this receiver again where a damaged peer has declared its record free. */
static void reclaim(struct ardnet_port *p) {
	uint32_t state = LOAD(state_of(p, p->seat));
	if (++p->idle < RECLAIM || state == SEAT_WANTED || state == SEAT_SERVED) return;
	p->idle = 0, p->epoch = 0;
	STORE(state_of(p, p->seat), p->depth ? SEAT_WANTED : SEAT_SERVED);
}

int ardnet_tryrec(struct ardnet_port *p, void *data) {
	if (!ready(p)) return p->mem ? ARDNET_TIMEOUT : ARDNET_ERROR;
	uint8_t *body = body_of(p, p->seat);
	if (p->depth == 0) {
		if (LOAD(served_of(p, p->seat)) == 0) return ARDNET_TIMEOUT; /* no sender has been there */
	} else {
		uint64_t epoch = LOAD(WORD(p->mem, AT_EPOCH));
		if (p->epoch != epoch || epoch == 0) {
			uint32_t state = LOAD(state_of(p, p->seat));
			p->epoch = 0;
			if (state != SEAT_SERVED || LOAD(served_of(p, p->seat)) != epoch) {
				if (state != SEAT_WANTED) STORE(state_of(p, p->seat), SEAT_WANTED); /* a new sender has come, or damage */
				return ARDNET_TIMEOUT;
			}
			p->epoch = epoch;
		}
	}
	uint8_t small[4096], *packet = p->packet <= sizeof small ? small : malloc(p->packet);
	if (!packet) return fail("port", p->name, "no memory");
	uint64_t number = p->last;
	size_t size = take(p, body, packet);
	int got = size > 0;
	if (got) memcpy(&number, packet, 8);
	if (number == p->last) {
		got = 0;
	} else if (p->last != 0 && number - p->last > 1u << 20 && (number < p->last || number > LOAD(WORD(p->mem, AT_NUMBER)))) {
		got = 0; /* no number that the sender has given; if it is the true one, the next goes on from it */
	} else {
		memcpy(data, packet + STAMP + CDR, size - STAMP - CDR);
		memcpy(&p->acquired, packet + 8, 8);
	}
	p->last = number;
	if (got) p->idle = 0;
	else reclaim(p);
	if (packet != small) free(packet);
	return got ? 1 : ARDNET_TIMEOUT;
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

double ardnet_age(const struct ardnet_port *p) {
	int64_t age = now() - p->acquired;
	if (p->acquired == 0) return -1;
	return age > 0 ? (double)age / 1e9 : 0;
}
