# make         build the command: bin/sinew, with the console's pages where npm is there
# make demo    the two-joint robot Janus: both controllers simulated, a report, then live behind the console
# make ui      build the console's pages
# make shots   a picture of every page of the console, in console/ui/shots
# make test    set up, check and run all tests
# make check   what can be said without running: format, vet, lint, import rules, other systems
# make bench-peers  install the foreign programs that make bench measures beside, where this is Debian
# make bench   the tables of docs/performance.md: measurements beside hand-written and foreign peers
# make setup   download what the tests need

GO ?= go

# Folders with goroutines or real-time threads: their tests run a second time, under the race detector.
RACE = ./internal/... ./net/... ./device/... ./parts/...

ORACLE = internal/testkit/oracle
UI = console/ui

.PHONY: build demo ui shots test test-ui check bench bench-peers setup

build: ui
	$(GO) build -o bin/sinew ./cmd/sinew

ui:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(UI)/dist/index.html; \
	else echo "SKIPPED: no npm; the console will show a page that says so"; fi

$(UI)/dist/index.html: $(UI)/node_modules $(UI)/index.html $(shell find $(UI)/src -type f)
	cd $(UI) && npm run build

shots: $(UI)/node_modules
	cd $(UI) && npm run build:mock && npm run shots

demo: build
	examples/janus/demo.sh

test: setup ui check test-ui
	$(GO) test ./...
	$(GO) test -race $(RACE)

test-ui: $(UI)/node_modules
	cd $(UI) && npm run check && npm test && npm run build:mock && npm run test:browser && npm run test:real

check:
	@unformatted=$$(find . -name '*.go' -not -path '*/node_modules/*' | xargs gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "not formatted (run gofmt -w):"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) test ./internal/arch
	GOOS=windows $(GO) build ./...
	GOOS=darwin $(GO) build ./...
	@.ci/vulnerabilities

bench:
	$(GO) run ./bench

bench-peers:
	apt-get install -y --no-install-recommends build-essential libkdl-parser-dev liborocos-kdl-dev libmujoco-dev rt-tests \
		iceoryx libiceoryx-posh-dev libiceoryx-hoofs-dev cyclonedds-dev cyclonedds-tools python3

setup:
	$(GO) mod download
	@if [ -f $(ORACLE)/package-lock.json ]; then $(MAKE) --no-print-directory $(ORACLE)/node_modules; fi

$(UI)/node_modules: $(UI)/package-lock.json
	cd $(UI) && npm ci --no-audit --no-fund && touch node_modules

$(ORACLE)/node_modules: $(ORACLE)/package-lock.json
	@if command -v npm >/dev/null; then cd $(ORACLE) && npm ci --no-audit --no-fund && touch node_modules; \
	else echo "SKIPPED: no npm; the tests against foreign implementations of our formats will be skipped"; fi
