# shellcheck shell=sh disable=SC2154 # sourced by scripts that set "root"
# Functions of the benchmark scripts, which source this file with "root" set to the top of the sources.

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit 1
}

# Builds a module and its dependences, unless the build is newer than the sources. Its classes are in target/classes,
# its libraries in target/lib.
build_module() {
  . "$root/tools/jdk.sh"
  find_jdk
  target=$root/$1/target
  if [ ! -f "$target/built" ] || [ -n "$(
    find "$root"/pom.xml "$root"/bluebell-* \( -path '*/src/main/*' -o -name pom.xml \) -newer "$target/built" | head -n 1
  )" ]; then
    echo "Building $1 ..." >&2
    mkdir -p "$target"
    # Jars that other versions left would be on the class path, too.
    rm -rf "$target/lib"
    # Made before the build reads the sources, so that a change in the meantime counts as newer.
    : >"$target/building"
    (cd "$root" && maven -q -B -Dmaven.test.skip=true -pl "$1" -am package) </dev/null >&2 ||
      fail "the build failed; see its output above."
    mv "$target/building" "$target/built"
  fi
}

build_jmh() {
  build_module bluebell-benchmarks
}

build_lab() {
  build_module bluebell-lab
}

# JMH itself calls sun.misc.Unsafe, so Java prints a warning.
jmh() {
  "$jdk/bin/java" --sun-misc-unsafe-memory-access=allow \
    -cp "$root/bluebell-benchmarks/target/classes:$root/bluebell-benchmarks/target/lib/*" \
    org.openjdk.jmh.Main -jvmArgsAppend --sun-misc-unsafe-memory-access=allow "$@"
}

# Runs one process of the benchmarks that a regular expression names; prints lines of a name and the
# median of its iterations in nanoseconds.
jmh_medians() {
  results=$scratch/jmh.json
  jmh -f 1 -v SILENT -rf json -rff "$results" "$1" >"$scratch/jmh.log" 2>&1 ||
    fail "JMH failed: $(tail -n 1 "$scratch/jmh.log")"
  awk -F '"' '
    $2 == "benchmark" { name = $4; sub(/.*\.benchmarks\./, "", name); seen = 0 }
    $2 == "50.0" && !seen { value = $3; gsub(/[ :,]/, "", value); print name, value; seen = 1 }
  ' "$results"
}

# Reads lines of a name and a figure; prints for each name its median, smallest and largest figure.
spread() {
  sort -k 1,1 -k 2,2g | awk '
    function flush() { if (n) print name, v[int((n + 1) / 2)], v[1], v[n] }
    $1 != name { flush(); name = $1; n = 0 }
    { v[++n] = $2 }
    END { flush() }
  '
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Starts a device process of its own; sets socket and device_pid. It ends with the script.
start_device() {
  "$root/bluebell" --version >/dev/null
  socket=$scratch/device.sock
  "$root/bluebell" serve --socket "$socket" >"$scratch/device.log" 2>&1 &
  device_pid=$!
  trap 'kill $device_pid 2>/dev/null || :; wait $device_pid || :; rm -rf "$scratch"' EXIT
  until [ -S "$socket" ]; do
    kill -0 $device_pid 2>/dev/null || fail "the device process did not start: $(tail -n 1 "$scratch/device.log")"
    sleep 0.1
  done
}
