/* ardnet: blocks of a sinew system in Octave and Matlab, over the C library of clients/c.
 *
 *     mkoctfile --mex -I../c ardnet.c ../c/ardnet.c          (Octave)
 *     mex -I../c ardnet.c ../c/ardnet.c                      (Matlab)
 *
 *     ardnet('create', 'u', 'in', 1);             a port of one double; a last argument is the depth of a buffered link
 *     ardnet('create', 'y', 'out', [2 1]);        of a column of two; of a slice: 'slice' as sixth argument
 *     ardnet('create', 's', 'in', 100, 0, 'variable');   of a list of up to 100 doubles, each time as many as there are
 *     rest = ardnet('init', argv());              connects all ports as the options on the command line say
 *     ok = ardnet('send', 'y', [1; 2]);           a last argument is the age of the value in seconds: when it was acquired
 *     [x, ok] = ardnet('rec', 'u', 1.0);          waits at most a second; x is [] where nothing came
 *     [x, ok] = ardnet('tryrec', 'u');
 *     s = ardnet('age', 'u');                     seconds since the value received last was acquired or else sent; negative before the first
 *
 * Ports carry doubles: a number, an array, or a slice (which has its length before it).
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ardnet.h"
#include "mex.h"

enum { MAX_PORTS = 64, MAX_WORDS = 256, SLICE_HEAD = 8 };

static struct {
	char name[200];
	struct ardnet_port *port;
	size_t rows, columns, head;
	int varies;
	uint8_t *packet;
} ports[MAX_PORTS];
static int count;

static void fail(void) { mexErrMsgIdAndTxt("ardnet:failed", "%s", ardnet_error()); }

static int find(const mxArray *name) {
	char text[200];
	if (mxGetString(name, text, sizeof text) == 0)
		for (int i = 0; i < count; i++)
			if (strcmp(ports[i].name, text) == 0) return i;
	mexErrMsgIdAndTxt("ardnet:port", "ardnet: no port of this name was created");
	return 0;
}

static void create(int n, const mxArray **arg) {
	char name[200], direction[8], kind[10] = "";
	if (n < 3 || count == MAX_PORTS || mxGetString(arg[0], name, sizeof name) || mxGetString(arg[1], direction, sizeof direction))
		mexErrMsgIdAndTxt("ardnet:usage", "ardnet('create', name, 'in' or 'out', size [, depth [, 'slice' or 'variable']])");
	const double *size = mxGetPr(arg[2]);
	size_t rows = (size_t)size[0], columns = mxGetNumberOfElements(arg[2]) > 1 ? (size_t)size[1] : 1;
	int depth = n > 3 ? (int)mxGetScalar(arg[3]) : 0;
	if (n > 4) mxGetString(arg[4], kind, sizeof kind);
	int varies = strcmp(kind, "variable") == 0, direct = strcmp(direction, "out") == 0 ? ARDNET_OUT : ARDNET_IN;
	size_t head = varies || strcmp(kind, "slice") == 0 ? SLICE_HEAD : 0, bytes = head + rows * columns * sizeof(double);
	struct ardnet_port *port = ardnet_create(name, varies ? direct | ARDNET_VARIES : direct, bytes, depth);
	uint8_t *packet = calloc(1, bytes);
	if (!port || !packet) fail();
	strcpy(ports[count].name, name);
	ports[count].port = port, ports[count].rows = rows, ports[count].columns = columns;
	ports[count].varies = varies, ports[count].head = head, ports[count].packet = packet;
	if (head) *(uint32_t *)(void *)packet = (uint32_t)(rows * columns);
	count++;
}

static mxArray *init(int n, const mxArray **arg) {
	static char *words[MAX_WORDS + 1];
	int argc = 1;
	words[0] = "octave";
	if (n > 0 && mxIsCell(arg[0]))
		for (size_t i = 0; i < mxGetNumberOfElements(arg[0]) && argc < MAX_WORDS; i++) words[argc++] = mxArrayToString(mxGetCell(arg[0], i));
	words[argc] = NULL;
	if (ardnet_init(&argc, words) < 0) fail();
	mxArray *rest = mxCreateCellMatrix(argc > 1, argc > 1 ? (mwSize)(argc - 1) : 0);
	for (int i = 1; i < argc; i++) mxSetCell(rest, i - 1, mxCreateString(words[i]));
	return rest;
}

void mexFunction(int nlhs, mxArray **lhs, int nrhs, const mxArray **rhs) {
	char what[16];
	if (nrhs < 1 || mxGetString(rhs[0], what, sizeof what)) mexErrMsgIdAndTxt("ardnet:usage", "ardnet('create' | 'init' | 'send' | 'rec' | 'tryrec' | 'age', ...)");
	if (strcmp(what, "create") == 0) {
		create(nrhs - 1, rhs + 1);
		mexLock(); /* the ports live until the program ends */
		return;
	}
	if (strcmp(what, "init") == 0) {
		lhs[0] = init(nrhs - 1, rhs + 1);
		return;
	}
	if (nrhs < 2) mexErrMsgIdAndTxt("ardnet:usage", "ardnet('%s', name, ...)", what);
	int i = find(rhs[1]);
	size_t n = ports[i].rows * ports[i].columns;
	double *values = (double *)(void *)(ports[i].packet + ports[i].head);
	if (strcmp(what, "send") == 0) {
		size_t given = nrhs < 3 || !mxIsDouble(rhs[2]) ? n + 1 : mxGetNumberOfElements(rhs[2]);
		if (given > n || (given < n && !ports[i].varies))
			mexErrMsgIdAndTxt("ardnet:size", "ardnet: port %s wants %s%d doubles", ports[i].name, ports[i].varies ? "up to " : "", (int)n);
		memcpy(values, mxGetPr(rhs[2]), given * sizeof(double));
		size_t bytes = ports[i].head + n * sizeof(double);
		if (ports[i].varies) {
			*(uint32_t *)(void *)ports[i].packet = (uint32_t)given;
			bytes = given ? SLICE_HEAD + given * sizeof(double) : sizeof(uint32_t);
		}
		int sent = ardnet_send_aged(ports[i].port, ports[i].packet, bytes, nrhs > 3 ? mxGetScalar(rhs[3]) : 0);
		lhs[0] = mxCreateLogicalScalar(sent > 0);
		return;
	}
	if (strcmp(what, "age") == 0) {
		lhs[0] = mxCreateDoubleScalar(ardnet_age(ports[i].port));
		return;
	}
	int got;
	if (strcmp(what, "rec") == 0) {
		got = ardnet_rec(ports[i].port, ports[i].packet, nrhs > 2 ? mxGetScalar(rhs[2]) : -1);
	} else if (strcmp(what, "tryrec") == 0) {
		got = ardnet_tryrec(ports[i].port, ports[i].packet);
	} else {
		mexErrMsgIdAndTxt("ardnet:usage", "ardnet has no function %s", what);
		return;
	}
	if (got > 0 && ports[i].varies) { /* a list is a column of what is there */
		size_t there = *(uint32_t *)(void *)ports[i].packet;
		n = there < n ? there : n;
		lhs[0] = mxCreateDoubleMatrix(n, n > 0, mxREAL);
		memcpy(mxGetPr(lhs[0]), values, n * sizeof(double));
		if (nlhs > 1) lhs[1] = mxCreateLogicalScalar(1);
		return;
	}
	lhs[0] = mxCreateDoubleMatrix(got > 0 ? ports[i].rows : 0, got > 0 ? ports[i].columns : 0, mxREAL);
	if (got > 0) memcpy(mxGetPr(lhs[0]), values, n * sizeof(double));
	if (nlhs > 1) lhs[1] = mxCreateLogicalScalar(got > 0);
}
