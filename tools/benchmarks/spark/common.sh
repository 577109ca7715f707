# shellcheck shell=sh disable=SC2154,SC2034 # sourced by scripts that set "root"
# Functions of the scripts for Spark.

. "$root/tools/benchmarks/common.sh"

# Builds bluebell-spark with its tests; sets modules, and home, an empty installation of Spark.
build_spark() {
  . "$root/tools/jdk.sh"
  find_jdk
  (cd "$root" && maven -q -B -DskipTests -pl bluebell-spark -am package) </dev/null >&2 ||
    fail "the build failed; see its output above."
  modules=$root/bluebell-spark/target/classes
  for module in hca verbs server softnic roce connect devx; do
    modules=$modules:$root/bluebell-$module/target/classes
  done
  home=$scratch/spark
  mkdir -p "$home/jars" "$home/launcher/target/scala-2.13"
  export SPARK_HOME="$home" SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1
}

# Prints the class path of a pom: a file, and the scope.
class_path() {
  (cd "$root" && maven -q -B -f "$1" org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath \
    -DincludeScope="$2" -Dmdep.outputFile="$scratch/class-path") </dev/null >&2 || fail "Maven did not resolve $1"
  cat "$scratch/class-path"
}

# Runs Java with the options that Spark needs.
spark_java() {
  opens=
  for package in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent \
    java.util.concurrent.atomic jdk.internal.ref sun.nio.ch sun.nio.cs sun.util.calendar; do
    opens="$opens --add-opens=java.base/$package=ALL-UNNAMED"
  done
  # shellcheck disable=SC2086 # options
  "$jdk/bin/java" $opens --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    --add-modules=jdk.incubator.vector "$@"
}
