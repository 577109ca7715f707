# shellcheck shell=sh disable=SC2034,SC2154 # sourced
# Finds a JDK that can run Bluebell, and Maven. Scripts source this file with "root" set to the top of the sources,
# and define a function "fail" that prints a sentence and exits.

# Sets jdk and jdk_version if $1 is the home of a JDK that is new enough.
accept_jdk() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  jdk_version=
  while IFS='="' read -r key _ value _; do
    [ "$key" = JAVA_VERSION ] && jdk_version=$value
  done <"$1/release"
  major=${jdk_version%%[!0-9]*}
  [ "${major:-0}" -ge 25 ] || return 1
  jdk=$1
}

find_jdk() {
  if [ -n "${BLUEBELL_JAVA_HOME:-}" ]; then
    accept_jdk "$BLUEBELL_JAVA_HOME" && return
    fail "BLUEBELL_JAVA_HOME names $BLUEBELL_JAVA_HOME, which is not a JDK of version 25 or later; set it to the home of one, or unset it."
  fi
  for home in \
    "${JAVA_HOME:-}" \
    /usr/lib/jvm/* \
    /usr/java/* \
    /opt/* \
    /opt/java/* \
    "${HOME:-}"/.sdkman/candidates/java/* \
    "${HOME:-}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    accept_jdk "$home" && return
  done
  # The java on the path may be a link or a script, so it is run to find its home.
  if command -v java >/dev/null; then
    home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
    accept_jdk "$home" && return
  fi
  fail "Bluebell needs JDK 25 or later, and found none; install one (such as Temurin 25, https://adoptium.net), or set BLUEBELL_JAVA_HOME to the home of one."
}

# Calls Maven. It finds a JDK outside of the standard locations through JAVA25_HOME. Without Maven, the wrapper
# downloads one, and the JDK that find_jdk found may be the only one for it.
maven() {
  if command -v mvn >/dev/null; then
    JAVA25_HOME=$jdk mvn "$@"
  else
    JAVA25_HOME=$jdk JAVA_HOME="${JAVA_HOME:-$jdk}" "$root/mvnw" "$@"
  fi
}
