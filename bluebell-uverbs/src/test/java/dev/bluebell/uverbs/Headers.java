package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Evaluates expressions over this machine's public Linux headers by a C compiler. */
public final class Headers {
  private static final Path FOLDER = Path.of("/usr/include");
  private static final List<String> NAMES =
      List.of(
          "rdma/ib_user_verbs.h",
          "rdma/ib_user_ioctl_verbs.h",
          "rdma/ib_user_ioctl_cmds.h",
          "rdma/rdma_user_ioctl_cmds.h",
          "rdma/mlx5-abi.h",
          "rdma/mlx5_user_ioctl_cmds.h",
          "rdma/mlx5_user_ioctl_verbs.h",
          "rdma/ib_user_sa.h",
          "rdma/rdma_user_cm.h");

  /** libibverbs's header, for numbers that the kernel does not publish. */
  private static final String LIBRARY = "infiniband/verbs.h";

  /** librdmacm's header, for the event numbers, which the kernel does not publish. */
  private static final String CM_LIBRARY = "rdma/rdma_cma.h";

  /** The oldest version that has all fields and attributes which are defined here. */
  private static final long OLDEST = version(5, 16);

  /** The compiler's answer; 0 until it is asked, which takes half a second. */
  private static long version;

  private Headers() {}

  /** A version of Linux, in the form of {@code linux/version.h: LINUX_VERSION_CODE}. */
  public static long version(int major, int minor) {
    return (long) major << 16 | minor << 8;
  }

  /** The Linux version of the headers; skips the test when they are too old. */
  public static synchronized long version(Path scratch) throws IOException, InterruptedException {
    if (version == 0) {
      version = evaluate(scratch, List.of("LINUX_VERSION_CODE")).values().iterator().next();
    }
    assumeTrue(version >= OLDEST, "the headers in /usr/include/rdma are older than Linux 5.16");
    return version;
  }

  /**
   * The values of C expressions, in their order. Skips the test with a reason unless the headers
   * and a compiler are installed.
   */
  public static Map<String, Long> evaluate(Path scratch, Collection<String> expressions)
      throws IOException, InterruptedException {
    for (String name : NAMES) {
      assumeTrue(
          Files.exists(FOLDER.resolve(name)),
          name + " is not installed (Debian and Ubuntu: apt install linux-libc-dev)");
    }
    return evaluate(scratch, NAMES, expressions);
  }

  /** Like {@link #evaluate(Path, Collection)}, with the header of libibverbs. */
  public static Map<String, Long> evaluateByLibrary(Path scratch, Collection<String> expressions)
      throws IOException, InterruptedException {
    assumeTrue(
        Files.exists(FOLDER.resolve(LIBRARY)),
        LIBRARY + " is not installed (Debian and Ubuntu: apt install libibverbs-dev)");
    return evaluate(scratch, List.of(LIBRARY), expressions);
  }

  /** Like {@link #evaluate(Path, Collection)}, with the header of librdmacm. */
  public static Map<String, Long> evaluateByCmLibrary(Path scratch, Collection<String> expressions)
      throws IOException, InterruptedException {
    requireCmLibrary();
    return evaluate(scratch, List.of(CM_LIBRARY), expressions);
  }

  /** The header of librdmacm, of which older versions lack the newest names. */
  public static String cmLibrary() throws IOException {
    requireCmLibrary();
    return Files.readString(FOLDER.resolve(CM_LIBRARY));
  }

  private static void requireCmLibrary() {
    assumeTrue(
        Files.exists(FOLDER.resolve(CM_LIBRARY)),
        CM_LIBRARY + " is not installed (Debian and Ubuntu: apt install librdmacm-dev)");
  }

  private static Map<String, Long> evaluate(
      Path scratch, List<String> headers, Collection<String> expressions)
      throws IOException, InterruptedException {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/gcc")),
        "gcc is not installed (Debian and Ubuntu: apt install gcc)");
    StringBuilder source = new StringBuilder();
    for (String name : List.of("stddef.h", "stdio.h", "linux/if_ether.h", "linux/version.h")) {
      source.append("#include <%s>%n".formatted(name));
    }
    headers.forEach(name -> source.append("#include <%s>%n".formatted(name)));
    source.append("int main(void) {%n".formatted());
    expressions.forEach(
        expression ->
            source.append("printf(\"%%lld\\n\", (long long) (%s));%n".formatted(expression)));
    source.append("}%n".formatted());
    Path program = scratch.resolve("headers");
    run(
        scratch,
        "/usr/bin/gcc",
        "-o",
        program.toString(),
        Files.writeString(scratch.resolve("headers.c"), source).toString());
    List<String> lines = run(scratch, program.toString()).lines().toList();
    Map<String, Long> values = new LinkedHashMap<>();
    for (String expression : expressions) {
      values.put(expression, Long.parseLong(lines.get(values.size())));
    }
    return values;
  }

  private static String run(Path scratch, String... command)
      throws IOException, InterruptedException {
    Path output = scratch.resolve("output.txt");
    int code =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    String text = Files.readString(output);
    assertThat(code).as("%s: %s", command[0], text).isZero();
    return text;
  }
}
