# shellcheck shell=bash
# Sourced by the other scripts: installs missing packages, and builds. Quick when nothing is missing.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export LC_ALL=C.UTF-8

say() { printf '== %s\n' "$*" >&2; }

die() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit "${2:-1}"
}

# All shell scripts of the project, relative to the current folder, which must be that of the project.
shell_scripts() { find scripts .ci deploy/gamebase-night -type f \( ! -name '*.*' -o -name '*.sh' \) | sort; }

# The folder of programs of the newest installed PostgreSQL server; empty when there is none.
server_programs() {
  local folder
  for folder in $(printf '%s\n' /usr/lib/postgresql/*/bin /usr/pgsql-*/bin | sort -Vr) \
    "$(command -v initdb 2>/dev/null | xargs -r dirname)"; do
    if [ -x "$folder/initdb" ] && [ "$("$folder/initdb" --version | grep -oE '[0-9]+' | head -1)" -ge 15 ]; then
      echo "$folder"
      return
    fi
  done
}

# The major version of the installed server, else the one that this Debian would install.
server_version() {
  local folder
  folder=$(server_programs)
  if [ -n "$folder" ]; then
    "$folder/initdb" --version | grep -oE '[0-9]+' | head -1
  else
    apt-cache depends postgresql 2>/dev/null | sed -n 's/.*Depends: postgresql-\([0-9]*\)$/\1/p' | head -1
  fi
}

# The packages of the named purposes, one per line.
packages_for() {
  local version purpose
  version=$(server_version)
  for purpose in "$@"; do
    sed -n "s/^$purpose  *//p" "$root/scripts/lib/packages.debian" | sed "s/@/${version:-15}/"
  done
}

# The name of the libstdc++ headers contains the version of the distribution's compiler, so any version counts.
is_installed() {
  case $1 in
    libstdc++-*-dev) dpkg-query -W -f '${Status}\n' 'libstdc++-*-dev' 2>/dev/null | grep -q 'ok installed' ;;
    *) dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
  esac
}

missing_packages() {
  local package
  for package in $(packages_for "$@"); do
    is_installed "$package" || echo "$package"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "needs root to install packages; as root, run: $*"
  fi
}

install_missing() {
  local missing
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  say "installing with apt-get: $missing"
  as_root apt-get update -qq
  # On a fresh machine the server's version is known only after the update of the package lists.
  missing=$(missing_packages "$@" | tr '\n' ' ')
  if [ -z "$(server_programs)" ]; then
    # Without this setting, the package would start a server on port 5432.
    as_root mkdir -p /etc/postgresql-common/createcluster.d
    echo 'create_main_cluster = false' |
      as_root tee /etc/postgresql-common/createcluster.d/gamebase-ingest.conf >/dev/null
  fi
  # shellcheck disable=SC2086 # a list of names
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# Without apt the package names are unknown, so this only names the missing libraries.
check_without_apt() {
  local library
  for library in libcrypto libpq simdjson libzstd zlib; do
    pkg-config --exists "$library" 2>/dev/null ||
      die "the development files of $library are missing; install them with your package manager" 78
  done
  command -v rclone >/dev/null || die "rclone is missing; install it with your package manager" 78
  [ -n "$(server_programs)" ] ||
    die "no PostgreSQL server of version 15 or later was found; install your distribution's" 78
}

setup() {
  command -v swift >/dev/null ||
    die "no Swift toolchain on PATH; install Swift 6.2 or later from https://swift.org/install" 78
  if command -v apt-get >/dev/null; then
    swift build --version >/dev/null 2>&1 || set -- toolchain "$@"
    install_missing "$@"
  else
    check_without_apt
  fi
}

# The build of scripts/test: without the optimizer, so that it takes half the time. It is no debug build, because there
# the argument parser checks the command's options at each start, which takes as long as most commands. Without the check
# of imports, a target that imports another one without a dependency still builds.
test_build=(-c release -Xswiftc -Onone -Xswiftc -enable-testing --scratch-path .build/tests)
test_build+=(--explicit-target-dependency-import-check error)

# build release|debug|tests [SWIFT-BUILD-OPTION ...]
build() {
  local options=(-c "$1")
  [ "$1" != tests ] || options=("${test_build[@]}" --build-tests)
  say "building ($1)"
  (cd "$root" && swift build "${options[@]}" "${@:2}" >&2) || die "the build failed"
}

# The folder for servers of tests: in memory if there is much of it, because they create and delete files all the time.
server_folder() {
  local space memory
  space=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1 || true)
  memory=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo 2>/dev/null || true)
  if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && ! grep -q '^[^ ]* /dev/shm .*noexec' /proc/mounts &&
    [ "${space:-0}" -gt 8000000 ] && [ "${memory:-0}" -gt 12000000 ]; then
    echo /dev/shm
  else
    echo "${TMPDIR:-/tmp}"
  fi
}

# The built program: of release, debug or tests/release.
program() { echo "$root/.build/$1/gamebase-ingest"; }

# Sets TEST_PROGRAM to a debug build unless it is set. A single changed file is built soonest so.
debug_program() {
  [ -n "${TEST_PROGRAM:-}" ] || { build debug --product gamebase-ingest && TEST_PROGRAM=$(program debug); }
  export TEST_PROGRAM
}

# private_server PROGRAM NAME: sets work to a new folder, and database to the connection string of a new server in it. Both
# are removed when the script ends.
private_server() {
  program_of_server=$1
  work=$(mktemp -d "$(server_folder)/gamebase-ingest-$2.XXXXXX")
  chmod 755 "$work" # the server runs as another user when the caller is root
  trap remove_private_server EXIT
  database=$("$1" local start --directory "$work/server" 2>"$work/log") || die "no server: $(cat "$work/log")"
}
remove_private_server() {
  "$program_of_server" local destroy --directory "$work/server" 2>/dev/null || true
  rm -rf "$work"
}

# test_server: sets TEST_DATABASE to a private server of TEST_PROGRAM until the script ends, unless it names one already.
test_server() {
  [ -z "${TEST_DATABASE:-}" ] || return 0
  say "starting a private PostgreSQL server"
  private_server "$TEST_PROGRAM" test
  export TEST_DATABASE=$database
}

# pytest_of FOLDER [PYTEST-OPTION ...]: runs the tests of a folder of Tests/SystemTests, with TEST_PROGRAM or the release
# build. The system's Python has the packages, unless test_python names another one.
pytest_of() {
  if [ -z "${TEST_PROGRAM:-}" ]; then
    build release --product gamebase-ingest
    TEST_PROGRAM=$(program release)
    export TEST_PROGRAM
  fi
  test_server
  (cd "$root/Tests" && PYTHONDONTWRITEBYTECODE=1 "${test_python:-/usr/bin/python3}" -m pytest -q "SystemTests/$1" "${@:2}")
}

# virtual_environment NAME [VENV-OPTION ...] <REQUIREMENTS: installs Python packages with pip into .build/NAME unless they are
# there, and sets virtual to that folder.
virtual_environment() {
  local wanted
  wanted=$(cat)
  virtual=$root/.build/$1
  [ "$wanted" != "$(cat "$virtual/installed.txt" 2>/dev/null)" ] || return 0
  say "installing with pip: $1"
  rm -rf "$virtual"
  /usr/bin/python3 -m venv "${@:2}" "$virtual" && echo "$wanted" >"$virtual/wanted.txt" &&
    "$virtual/bin/pip" install --quiet --requirement "$virtual/wanted.txt" && mv "$virtual"/{wanted,installed}.txt
}
