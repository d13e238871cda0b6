# The checks that take more than one line, for run and long.
# shellcheck shell=bash

formatted() {
  local files
  files=$(git ls-files -z --cached --others --exclude-standard -- '*.go' | xargs -0 -r gofmt -s -l)
  [ -z "$files" ] || { printf 'run gofmt -s -w on:\n%s\n' "$files"; return 1; }
}

vet() {
  go vet ./...
  go vet -tags e2e ./...
}

# lint ARGUMENTS... runs the pinned linter in this folder.
lint() {
  local golangci
  golangci=$(tool golangci-lint v2.15.0 github.com/golangci/golangci-lint/v2/cmd/golangci-lint)
  "$golangci" run "$@"
}

# nested FOLDER goes into a module of its own and checks it.
nested() {
  cd "$1" || return
  go mod tidy -diff
  lint --config ../../.golangci.yml
}

modules() {
  go mod verify
  go mod tidy -diff
}

generated() {
  go run ./cmd/firedrill generate config --check
  go run ./cmd/firedrill generate dashboards --check
  go run ./cmd/firedrill generate metrics --check
  go run ./cmd/firedrill generate openapi --check
  go run ./cmd/firedrill generate rules --check
}

# stock prints the folder of the genuine prometheus and promtool, of the version
# whose packages the product links.
stock() {
  local version
  version=$(cd alerts/oracle && go list -m -f '{{.Version}}' github.com/prometheus/prometheus)
  echo "${XDG_CACHE_HOME:-$HOME/.cache}/firedrill-ci/prometheus@$version"
}

# build_stock builds them where they are missing.
build_stock() {
  local folder name
  folder=$(stock)
  cd alerts/oracle || return
  for name in prometheus promtool; do
    [ -x "$folder/$name" ] || go build -tags remove_all_sd -o "$folder/$name" "github.com/prometheus/prometheus/cmd/$name"
  done
}

# oracle compares the rule engine with Prometheus' own, in a module of its own.
oracle() {
  nested alerts/oracle
  go test ./...
}

# compose checks docker-compose.yml against everything that it names, and takes
# the steps of the Dockerfile, in a module of its own.
compose() {
  nested internal/stack
  go test -count=1 -v -tags e2e ./...
}

# npm_package NAME VERSION prints a folder in which an npm package is installed,
# which it does first where it is missing.
npm_package() {
  local folder=${XDG_CACHE_HOME:-$HOME/.cache}/firedrill-ci/npm/$1@$2
  if [ ! -d "$folder" ]; then
    rm -rf "$folder.new"
    npm install --prefix "$folder.new" --no-audit --no-fund --ignore-scripts --loglevel=error "$1@$2" >&2
    mv "$folder.new" "$folder"
  fi
  echo "$folder"
}

# grafana_words checks the ids in dashboards with Grafana's own library.
grafana_words() {
  local folder
  folder=$(npm_package @grafana/data 13.2.3)
  node dashboards/testdata/ids.mjs "$folder" dashboards/gen/*/*.json
}

# pictures looks at the dashboards in the Grafana at GRAFANA_URL, where there is
# one, and keeps the pictures in the folder PICTURES.
pictures() {
  local folder=none
  if [ -n "${GRAFANA_URL:-}" ]; then
    commands chromium:chromium
    folder=$(npm_package puppeteer-core 25.16.0)
  fi
  node dashboards/testdata/screenshots.mjs "$folder" "${PICTURES:-/tmp/firedrill-pictures}" dashboards/gen/speed-60/*.json
}

# calm SEEDS rehearses the shipped alerts over thirty quiet days of so many seeds.
calm() {
  go test -count=1 -timeout 1h -run 'Calm' ./alerts/rehearsal -calm.days 30 -calm.seeds "$1"
}

# fuzz COUNTx runs every fuzz target of the module on so many inputs: with a time
# limit the go command now and then takes its own end for a failure.
fuzz() {
  local targets folder name
  targets=$(git grep --untracked -E '^func Fuzz\w+\(' -- '*_test.go' | sed -E 's|/[^/]+_test\.go:func (Fuzz\w+).*| \1|') ||
    { echo 'no fuzz target is found'; return 1; }
  while read -r folder name; do
    echo "$folder $name"
    go test -run '^$' -fuzz "^$name\$" -fuzztime "$1" -fuzzminimizetime 5x "./$folder"
  done <<<"$targets"
}
