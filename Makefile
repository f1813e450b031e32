# make         build the command: bin/sinew, with the console's pages if npm is installed
# make demo    the two-joint robot Janus: both controllers simulated, a report, then live behind the console
# make ui      build the console's pages
# make shots   a picture of every page of the console, in console/ui/shots, and those of README and docs
# make test    install what is missing, set up, check and run all tests; STAGES="check library" runs some of the stages
# make check   static checks: format, vet, lint, import rules, other systems, types of the pages
# make explore  run the random tests of the library with 20 new seeds: about 15 minutes
# make audit   look for known vulnerabilities in what sinew uses
# make bench-peers  install the foreign programs that make bench compares with (Debian only)
# make bench   measure the tables of docs/performance.md, with hand-written and foreign peers, and the console in a browser
# make judge   let FCL judge ten million random pairs of shapes: about an hour of processor time (after make bench-peers)
# make judge-scip   let the scanner driver of MRPT read the emulator, which installs MRPT (Debian only)
# make setup   download what the tests need

GO ?= go

# The Robotics Library, whose kinematics, dynamics and client of the coach's port are compiled from its source. make bench RL=FOLDER takes another checkout.
RL_SOURCE = https://github.com/roboticslibrary/rl 91df9f231ba08dfd6c540edee2838d75508ca848

ORACLE = internal/testkit/oracle
UI = console/ui

.PHONY: build demo ui shots test needs check explore audit bench bench-peers judge judge-scip setup

build: ui
	$(GO) build -o bin/sinew ./cmd/sinew

ui:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(UI)/dist/index.html; \
	else echo "SKIPPED: no npm; the console will show a page with this message"; fi

SOURCES = $(UI)/node_modules $(UI)/index.html $(UI)/vite.config.ts $(UI)/vite.share.config.ts $(UI)/svelte.config.js $(shell find $(UI)/src $(UI)/public -type f)

$(UI)/dist/index.html: $(SOURCES)
	cd $(UI) && npm run build

$(UI)/dist-mock/index.html: $(SOURCES)
	cd $(UI) && npm run build:mock

shots: $(UI)/node_modules
	cd $(UI) && npm run build && npm run build:mock && npm run shots

demo: build
	examples/janus/demo.sh

# The tutorial's test builds projects in new folders: with -trimpath they share the packages of the module cache, and those of sinew with one another.
# The tests' binaries, more than two hundred, go without what debuggers read (-w): linking one then takes two thirds of the processor time.
test: export GOFLAGS := $(shell $(GO) env GOFLAGS) -trimpath -ldflags=-w
test: needs setup ui $(UI)/dist-mock/index.html
	@.ci/private $(GO) run ./internal/gate $(STAGES)
	@.ci/needs skipped

needs:
	@.ci/needs

check: $(UI)/node_modules
	@unformatted=$$(find . -name '*.go' -not -path '*/node_modules/*' | xargs gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "not formatted (run gofmt -w):"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) test -vet=off ./internal/arch
	cd $(UI) && npm run check

explore:
	$(GO) test -vet=off -timeout 0 -count 20 ./robot/...

audit:
	@.ci/vulnerabilities

bench: ui $(UI)/dist-mock/index.html
	$(GO) run ./bench
	$(GO) run ./bench/neighbors
	cd $(UI) && npm run measure

bench-peers:
	apt-get install -y --no-install-recommends build-essential libkdl-parser-dev liborocos-kdl-dev libmujoco-dev libfcl-dev libompl-dev rt-tests \
		iceoryx libiceoryx-posh-dev libiceoryx-hoofs-dev cyclonedds-dev cyclonedds-tools python3 libeigen3-dev libboost-dev libxml2-dev libxslt1-dev
	git init -q bench/peers/rl && cd bench/peers/rl && git fetch -q --depth 1 $(RL_SOURCE) && git checkout -q FETCH_HEAD

judge:
	$(GO) test -tags fcl -run FCL -timeout 0 ./robot/geometry -pairs 10000000
	$(GO) test -tags fcl -run FCL ./cli/plan

judge-scip:
	apt-get install -y --no-install-recommends g++ libmrpt-hwdrivers-dev
	$(GO) test -tags mrpt -run MRPT -v ./device/scip

setup:
	.ci/thrice $(GO) mod download
	@if [ -f $(ORACLE)/package-lock.json ]; then $(MAKE) --no-print-directory $(ORACLE)/node_modules; fi

$(UI)/node_modules: $(UI)/package-lock.json
	cd $(UI) && $(CURDIR)/.ci/thrice npm ci --no-audit --no-fund && touch node_modules

$(ORACLE)/node_modules: $(ORACLE)/package-lock.json
	@if command -v npm >/dev/null; then cd $(ORACLE) && $(CURDIR)/.ci/thrice npm ci --no-audit --no-fund && touch node_modules; \
	else echo "SKIPPED: no npm; the tests against foreign implementations of our formats will be skipped"; fi
