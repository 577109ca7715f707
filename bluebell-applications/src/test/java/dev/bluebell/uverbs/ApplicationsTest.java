package dev.bluebell.uverbs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Debian's applications, unmodified, on the software ConnectX; skipped where they are not
 * installed.
 */
class ApplicationsTest extends Hosted {
  private static final String UTILITIES = "ibverbs-utils";
  private static final String PERFTEST = "perftest";

  private static final String UCX = "ucx-utils";

  /** Scripts that reach each kind of object, of which one sees the device's end. */
  private static final Path SCRIPTS =
      Path.of(System.getProperty("basedir", ""), "../tools/compatibility/objects")
          .toAbsolutePath()
          .normalize();

  private static final String OWN_DEVICE = "# device: " + DeviceTree.NAME + "=soft:";
  private static final String END = "device_end.py";
  private static final String ENDLESS = "ibv_rc_pingpong -g 0 -n 100000000";

  /** How long applications are started and killed; once when 0. */
  private static final long STORM_SECONDS = Long.getLong("bluebell.storm.seconds", 0);

  @Test
  void anApplicationSeesTheDevice() throws IOException, InterruptedException {
    Application.require("ibv_devinfo", UTILITIES);
    Application application = Application.start(host, folder, List.of("ibv_devinfo", "-v"));
    application.expectSuccess();
    assertThat(application.output())
        .contains("mlx5_0", "PORT_ACTIVE (4)", "::ffff:127.0.0.1, RoCE v2", "ATOMIC_HCA");
    host.expectNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ibv_rc_pingpong -g 3 -e -c -s 100000",
        "ibv_uc_pingpong -g 0 -e -c -s 100000",
        "ibv_ud_pingpong -g 3 -c",
        "ibv_srq_pingpong -g 3 -e -q 4",
        "ibv_xsrq_pingpong -g 0 -c 1",
      })
  void bothEndsOfPingPongSucceed(String command) throws IOException, InterruptedException {
    Application.require("ibv_rc_pingpong", UTILITIES);
    runPair(command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ib_write_bw -F -a -n 5",
        "ib_send_bw -F -n 200 -r 64 --use-srq",
        "ib_send_lat -F -n 200 -I 64 -s 64",
        "ib_read_bw -F -n 200 -e -q 16",
        "ib_atomic_lat -F -n 200 -A CMP_AND_SWAP",
        // With room for all: libmlx5 loses room where streams complete out of order.
        "ib_send_bw -F -c DC -n 200 -t 256 --log_dci_streams=2",
        "ib_write_lat -F -c DC -n 200",
        "ib_send_bw -F -c UD -n 200 -b -q 4",
        "ib_send_lat -F -c UD -n 200 -e",
        "ib_write_bw -F -c UC -n 200 -b -q 4",
        "ib_send_lat -F -c XRC -s 65536 -n 50",
        "ib_read_bw -F -c XRC -n 200",
      })
  @Tag("slow")
  void bothEndsOfPerftestSucceed(String command) throws IOException, InterruptedException {
    Application.require("ib_write_bw", PERFTEST);
    runPair(command);
  }

  /** The same verbs in other combinations of options. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ibv_rc_pingpong -g 0 -c",
        "ibv_uc_pingpong -g 3 -c",
        "ibv_ud_pingpong -g 0 -e -c",
        "ibv_srq_pingpong -g 0 -c",
        "ib_write_bw -F -n 200 -q 16",
        "ib_write_lat -F -n 200 -I 64 -s 64",
        "ib_send_bw -F -n 200 -b",
        "ib_send_lat -F -n 200 -e",
        "ib_read_lat -F -n 200",
        "ib_atomic_bw -F -n 200",
        "ib_send_bw -F -c DC -n 200",
        "ib_send_bw -F -c UD -a -n 100",
        "ib_send_lat -F -c UD -n 200 -I 64 -s 64",
        "ib_send_bw -F -c UC -n 200 -e",
        "ib_send_lat -F -c UC -a -n 5",
        "ib_write_lat -F -c UC -n 200",
        "ib_send_bw -F -c XRC -n 200",
        "ib_send_lat -F -c XRC -a -n 5",
        "ib_write_bw -F -c XRC -n 200 -q 4",
      })
  void bothEndsOfFurtherApplicationsSucceed(String command)
      throws IOException, InterruptedException {
    Application.require("ibv_rc_pingpong", UTILITIES);
    Application.require("ib_write_bw", PERFTEST);
    runPair(command);
  }

  /** The option of "run" that shares registered memory only sets this variable. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ibv_rc_pingpong -g 0 -c -s 100000",
        "ib_atomic_lat -F -n 200 -A FETCH_AND_ADD",
        "ib_send_bw -F -c UD -n 200 -b -q 4",
      })
  @Tag("slow")
  void bothEndsSucceedOverMemoryThatIsShared(String command)
      throws IOException, InterruptedException {
    Application.require("ib_write_bw", PERFTEST);
    Application.require("ibv_rc_pingpong", UTILITIES);
    runPair("env BLUEBELL_MAP_MEMORY=1 " + command);
  }

  @Test
  @Tag("slow")
  void ucxFindsItsTransports() throws IOException, InterruptedException {
    Application.require("ucx_info", UCX);
    Application application = Application.start(host, folder, List.of("ucx_info", "-d"));
    application.expectSuccess();
    assertThat(application.output())
        .contains("rc_verbs", "rc_mlx5", "dc_mlx5", "ud_verbs", "ud_mlx5")
        .doesNotContain("ERROR");
    host.expectNothingLeft();
  }

  @ParameterizedTest
  @CsvSource({
    "rc_verbs;ud_verbs, n, ucp_put_bw",
    "rc_x;ud_x, y, tag_bw -s 100000",
    "rc_x;ud_x, y, ucp_cswap",
    "dc_x, n, ucp_fadd",
    "ud_x, y, ucp_am_bw",
  })
  @Tag("slow")
  void bothEndsOfUcxSucceed(String transports, String devx, String test)
      throws IOException, InterruptedException {
    Application.require("ucx_perftest", UCX);
    runPair(
        "env UCX_NET_DEVICES=mlx5_0:1 UCX_IB_MLX5_DEVX=%s UCX_TLS=%s ucx_perftest -n 200 -t %s"
            .formatted(devx, transports.replace(';', ','), test));
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "rc_verbs;ud_verbs, y, tag_lat",
    "rc_verbs;ud_verbs, y, ucp_fadd",
    "rc_x;ud_x, y, ucp_get",
    "dc_x, y, tag_lat",
    "ud_verbs, y, tag_lat",
  })
  void bothEndsOfUcxSucceedInFurtherTests(String transports, String devx, String test)
      throws IOException, InterruptedException {
    bothEndsOfUcxSucceed(transports, devx, test);
  }

  /** By DevX; UCX reads the basic layout up to 1.13, and the enhanced one later. */
  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"rc_x, RC, tag_bw", "dc_x, DC, ucp_am_bw", "ud_x, UD, ucp_am_bw"})
  void bothEndsOfUcxSucceedWithCompressedCompletions(String transports, String kind, String test)
      throws IOException, InterruptedException {
    Application.require("ucx_perftest", UCX);
    runPair(
        ("env UCX_NET_DEVICES=mlx5_0:1 UCX_IB_MLX5_DEVX=y UCX_TLS=%s"
                + " UCX_%s_MLX5_CQE_ZIPPING_ENABLE=y ucx_perftest -n 2000 -t %s")
            .formatted(transports.replace(';', ','), kind, test));
  }

  static List<String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      return files
          .filter(file -> file.toString().endsWith(".py") && Files.isExecutable(file))
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals(END) && ownDevice(name) == null)
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  @Tag("slow")
  void eachKindOfObjectBehavesAsItsScriptExpects(String name)
      throws IOException, InterruptedException {
    Application script = startScript(name);
    script.expectSuccess();
    assertThat(script.output()).hasLineCount(1).startsWith("ok " + name.replace(".py", ": "));
    host.expectNothingLeft();
  }

  /** By LID, without a GID: what Ethernet refuses. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ibv_rc_pingpong -e -c",
        "ibv_ud_pingpong -c",
        "ibv_xsrq_pingpong -c 1",
        "ib_write_bw -F -n 200 -c DC",
        "env UCX_NET_DEVICES=mlx5_0:1 UCX_TLS=dc_x ucx_perftest -n 200 -t ucp_am_bw",
      })
  @Tag("slow")
  void bothEndsSucceedOverInfiniBand(String command) throws IOException, InterruptedException {
    Application.require("ibv_rc_pingpong", UTILITIES);
    Application.require("ib_send_bw", PERFTEST);
    Application.require("ucx_perftest", UCX);
    Path own = Files.createDirectory(folder.resolve("own"));
    try (Host special = new Host(own, "link=infiniband")) {
      runPair(special, command);
    }
  }

  @Test
  void applicationsThatWaitForEventsNoticeTheEndOfTheDevice()
      throws IOException, InterruptedException {
    Application script = startScript(END);
    script.awaitOutput("ready");
    host.endServer();
    script.expectSuccess();
    assertThat(host.objects()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"device_faults.py", "infiniband.py", "port_reset.py", "small_link.py"})
  @Tag("slow")
  void aScriptThatAsksForADeviceOfItsOwnSeesWhatItExpects(String name)
      throws IOException, InterruptedException {
    Path own = Files.createDirectory(folder.resolve("own"));
    try (Host special = new Host(own, requireNonNull(ownDevice(name)))) {
      Application script = startScript(special, name);
      script.expectSuccess();
      assertThat(script.output()).startsWith("ok " + name.replace(".py", ": "));
    }
  }

  /** The options of the device that a script asks for; null for any device. */
  private static @Nullable String ownDevice(String script) {
    try (Stream<String> lines = Files.lines(SCRIPTS.resolve(script))) {
      return lines
          .filter(line -> line.startsWith(OWN_DEVICE))
          .map(line -> line.substring(OWN_DEVICE.length()))
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Application startScript(String name) throws IOException, InterruptedException {
    return startScript(host, name);
  }

  private Application startScript(Host host, String name) throws IOException, InterruptedException {
    Application.requirePython();
    return Application.start(
        host, folder, List.of(Application.PYTHON, "-B", SCRIPTS.resolve(name).toString()));
  }

  private void runPair(String command) throws IOException, InterruptedException {
    runPair(host, command);
  }

  private void runPair(Host on, String command) throws IOException, InterruptedException {
    List<Application> pair = Application.startPair(on, folder, command);
    try {
      for (Application application : pair) {
        application.expectSuccess();
      }
    } finally {
      pair.forEach(Application::kill);
    }
    on.expectNothingLeft();
  }

  @Test
  @Tag("slow")
  void aKilledApplicationLeavesNothingAndItsPeerFails() throws IOException, InterruptedException {
    Application.require("ib_write_bw", PERFTEST);
    // One end sends all the time, so it must notice.
    List<Application> pair = Application.startPair(host, folder, "ib_write_bw -F -D 600");
    awaitTraffic();
    pair.getFirst().kill();
    int killed = pair.getFirst().awaitEnd();
    int left = pair.getLast().awaitEnd();
    assertThat(killed).isNotZero();
    assertThat(left).isNotZero();
    host.expectNothingLeft();
    runPair("ib_write_bw -F -n 10");
  }

  @Test
  void aKilledUcxApplicationLeavesNothing() throws IOException, InterruptedException {
    Application.require("ucx_perftest", UCX);
    List<Application> pair =
        Application.startPair(
            host,
            folder,
            "env UCX_NET_DEVICES=mlx5_0:1 UCX_IB_MLX5_DEVX=y UCX_TLS=rc_x,ud_x"
                + " ucx_perftest -n 100000000 -t tag_bw");
    awaitTraffic();
    for (Application application : pair) {
      application.kill();
      assertThat(application.awaitEnd()).isNotZero();
    }
    host.expectNothingLeft();
  }

  @Test
  @Tag("slow")
  void applicationsThatAreKilledAtRandomLeaveNothing() throws IOException, InterruptedException {
    Application.require("ib_write_bw", PERFTEST);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STORM_SECONDS);
    do {
      List<Application> applications = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String kind = List.of("ib_write_bw", "ib_send_bw -c UD", "ib_read_bw").get(i % 3);
        applications.addAll(Application.startPair(host, folder, kind + " -F -D 600 -s 1024"));
      }
      Collections.shuffle(applications, random);
      for (Application application : applications) {
        LockSupport.parkNanos(random.nextInt(20_000_000));
        application.kill();
      }
      for (Application application : applications) {
        assertThat(application.awaitEnd()).as("seed %d", seed).isNotZero();
      }
      host.expectNothingLeft();
    } while (System.nanoTime() < deadline);
    runPair("ib_write_bw -F -n 10");
  }

  @Test
  void applicationsOfADeviceThatEndsEndWithAnError() throws IOException, InterruptedException {
    Application.require("ibv_rc_pingpong", UTILITIES);
    List<Application> pair = Application.startPair(host, folder, ENDLESS + " -e");
    awaitTraffic();
    host.endServer();
    for (Application application : pair) {
      int code = application.awaitEnd();
      assertThat(code).isNotZero();
    }
    assertThat(host.objects()).isEmpty();
  }

  // Two connected queue pairs; perftest lets only the one that sends go to RTS.
  private void awaitTraffic() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (connected() < 2) {
      assertThat(System.nanoTime()).as("both ends connect within 60 s").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private long connected() {
    return host.objects().stream().filter(line -> line.contains("RC, RT")).count();
  }
}
