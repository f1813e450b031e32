# make         build the command: bin/sinew
# make demo    the two-joint robot Janus: both controllers simulated, one live, and a report
# make test    set up, check and run all tests
# make check   what can be said without running: format, vet, lint, import rules, other systems
# make bench-peers  install the foreign programs that make bench measures beside, where this is Debian
# make bench   the tables of docs/performance.md: measurements beside hand-written and foreign peers
# make setup   download what the tests need

GO ?= go

# Folders with goroutines or real-time threads: their tests run a second time, under the race detector.
RACE = ./internal/... ./net/... ./device/... ./parts/...

ORACLE = internal/testkit/oracle

.PHONY: build demo test check bench bench-peers setup

build:
	$(GO) build -o bin/sinew ./cmd/sinew

demo:
	examples/janus/demo.sh

test: setup check
	$(GO) test ./...
	$(GO) test -race $(RACE)

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
	apt-get install -y --no-install-recommends build-essential libkdl-parser-dev liborocos-kdl-dev libmujoco-dev rt-tests

setup:
	$(GO) mod download
	@if [ -f $(ORACLE)/package-lock.json ]; then $(MAKE) --no-print-directory $(ORACLE)/node_modules; fi

$(ORACLE)/node_modules: $(ORACLE)/package-lock.json
	@if command -v npm >/dev/null; then cd $(ORACLE) && npm ci --no-audit --no-fund && touch node_modules; \
	else echo "SKIPPED: no npm; the tests against foreign implementations of our formats will be skipped"; fi
