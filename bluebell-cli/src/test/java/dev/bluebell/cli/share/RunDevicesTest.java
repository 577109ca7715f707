package dev.bluebell.cli.share;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.cli.Main;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.Hca;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Processes;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.remote.ObserverService;
import dev.bluebell.server.remote.Observers;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.uverbs.DeviceTree;
import dev.bluebell.uverbs.Shim;
import dev.bluebell.uverbs.UverbsService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The devices that a program sees under 'run', and their names. */
class RunDevicesTest {
  private static final String PROGRAM =
      """
      import os
      from pyverbs.device import Context, get_device_list
      names = sorted(device.name.decode() for device in get_device_list())
      assert names == ['left', 'right'], names
      for name in names:
          assert Context(name=name).query_gid(1, 3)
      assert os.path.exists('/dev/infiniband/uverbs1')
      for other in ('2', '-1', '', '0x', '99999999999'):
          path = '/dev/infiniband/uverbs' + other
          assert not os.path.exists(path) and not os.access(path, os.R_OK), path
      """;

  @TempDir private Path folder;

  private static void requireApplications() throws IOException, InterruptedException {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    assumeTrue(
        new ProcessBuilder("/usr/bin/python3", "-c", "import pyverbs")
                .redirectErrorStream(true)
                .start()
                .waitFor()
            == 0,
        "pyverbs is not installed (Debian and Ubuntu: apt install python3-pyverbs)");
  }

  private static DeviceServer.Service services(Hca hca) {
    Observers observers = new Observers(hca);
    return new ObserverService(observers, new UverbsService(hca, observers));
  }

  private static long composedTrees() throws IOException {
    try (Stream<Path> files = Files.list(RuntimeFolder.get())) {
      return files.filter(file -> file.getFileName().toString().startsWith("sysfs")).count();
    }
  }

  @Test
  void anApplicationSeesSeveralDevicesByTheirNames() throws IOException, InterruptedException {
    requireApplications();
    Path first = folder.resolve("first.sock");
    Path second = folder.resolve("second.sock");
    long before = composedTrees();
    try (SoftNic one = SoftNic.open(SoftNicOptions.DEFAULT);
        SoftNic two = SoftNic.open(SoftNicOptions.DEFAULT);
        DeviceTree oneTree = DeviceTree.create(RuntimeFolder.tree(first), one);
        DeviceTree twoTree = DeviceTree.create(RuntimeFolder.tree(second), two);
        DeviceServer oneServer = new DeviceServer(first, services(one), Quotas.of(one));
        DeviceServer twoServer = new DeviceServer(second, services(two), Quotas.of(two))) {
      assertThat(oneTree.path()).isNotEqualTo(twoTree.path());
      int code =
          Main.commandLine()
              .execute(
                  "run",
                  "--device",
                  "left=socket:" + first,
                  "--device",
                  "right=socket:" + second,
                  "--explain",
                  "--",
                  "/usr/bin/python3",
                  "-c",
                  PROGRAM);
      assertThat(code).isZero();
      oneServer.awaitIdle(1);
      twoServer.awaitIdle(1);
    }
    assertThat(composedTrees()).isEqualTo(before);
  }

  @Test
  void aDeviceWithoutANameIsTheUsualOne() throws IOException {
    assertThat(NamedDevice.of(List.of(), null))
        .containsExactly(new NamedDevice("mlx5_0", "soft", RuntimeFolder.socket()));
    assertThat(NamedDevice.of(List.of("soft:spin=5,sleep=10"), folder.resolve("s")))
        .containsExactly(new NamedDevice("mlx5_0", "soft:spin=5,sleep=10", folder.resolve("s")));
  }

  @Test
  void eachNameHasAProcessOfItsOwn() throws IOException {
    assertThat(NamedDevice.of(List.of("soft", "rail1=soft"), null))
        .extracting(NamedDevice::socket)
        .doesNotHaveDuplicates()
        .last()
        .asString()
        .endsWith("device-rail1.sock");
  }

  @Test
  void mistakesAreNamed() throws IOException {
    refuse("two devices are named mlx5_0", null, "soft", "soft");
    refuse("--socket is for one device", folder.resolve("s"), "a=soft", "b=soft");
    refuse("has a colon", null, "a=socket:/x:y");
    refuse("does not have the form", null, "");
    for (String name : List.of("", "../../evil", "x y", "-x", "/tmp/x", "a\nb", "x".repeat(64))) {
      refuse("is not a valid device name", null, name + "=soft");
    }
    assertThatExceptionOfType(WorkFailed.class)
        .isThrownBy(
            () ->
                NamedDevice.of(List.of("a=socket:" + folder.resolve("none")), null)
                    .getFirst()
                    .ensure())
        .withMessageContaining("no device process listens");
  }

  @Test
  void aRunningDeviceWithOtherOptionsIsNotJoined() throws IOException {
    Path socket = folder.resolve("running.sock");
    NamedDevice same = NamedDevice.of(List.of("a=soft:link=infiniband"), socket).getFirst();
    NamedDevice other = NamedDevice.of(List.of("a=soft"), socket).getFirst();
    other.requireSpec();
    try (SocketLock lock = SocketLock.tryToTake(RuntimeFolder.lock(socket))) {
      requireNonNull(lock).say("soft:link=infiniband");
      same.requireSpec();
      NamedDevice.of(List.of("a=socket:" + socket), null).getFirst().requireSpec();
      assertThatExceptionOfType(WorkFailed.class)
          .isThrownBy(other::requireSpec)
          .withMessageContainingAll(
              "device a already runs as soft:link=infiniband, not as soft", "name another socket");
      assertThatIllegalArgumentException()
          .isThrownBy(NamedDevice.of(List.of("a=foo"), socket).getFirst()::requireSpec)
          .withMessageContainingAll("there is no device 'foo': choose soft (", "soft:loss=5%");
      assertThatIllegalArgumentException()
          .isThrownBy(NamedDevice.of(List.of("a=soft:los=5%"), socket).getFirst()::requireSpec)
          .withMessageContaining("'los'");
    }
    other.requireSpec();
  }

  @Test
  void aMistakeIsWrongUsage() {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    assertThat(Main.commandLine().execute("run", "--device", "../../evil=soft", "--", "true"))
        .isEqualTo(2);
  }

  @Test
  @Tag("slow")
  void aMistakeCostsNoFileOfAnEarlierRun() throws IOException {
    Path trace = Files.writeString(folder.resolve("earlier.chain"), "precious");
    String[] wrong = {"run", "--trace", trace.toString(), "--device", "../../evil=soft", "true"};
    assertThat(Main.commandLine().execute(wrong)).isEqualTo(2);
    String[] two = {
      "run", "--trace", trace.toString(), "--device", "a=soft", "--device", "b=soft", "true"
    };
    assertThat(Main.commandLine().execute(two)).isEqualTo(2);
    String[] unknown = {"run", "--trace", trace.toString(), "--device", "a=soft:nosuch=1", "true"};
    assertThat(Main.commandLine().execute(unknown)).isEqualTo(2);
    assertThat(trace).hasContent("precious");
  }

  /** Runs this program in a process of its own; what it printed, if it failed. */
  private static String fail(Path directory, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isNotZero();
    return printed.replaceAll("\\s+", " ");
  }

  @Test
  void aRelativePathInAFolderWithAColonIsRefused() throws IOException, InterruptedException {
    Path directory = Files.createDirectory(folder.resolve("a:b"));
    assertThat(fail(directory, Map.of(), "run", "--device", "a=socket:s", "--", "true"))
        .contains("a:b/s has a colon");
  }

  @Test
  @Tag("slow")
  void aPreloadedLibraryInAFolderWithASpaceIsRefused() throws IOException, InterruptedException {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    Path directory = Files.createDirectory(folder.resolve("my dir"));
    Path socket = folder.resolve("s");
    try (SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT);
        DeviceTree tree = DeviceTree.create(RuntimeFolder.tree(socket), nic);
        DeviceServer server = new DeviceServer(socket, services(nic), Quotas.of(nic))) {
      String device = "mlx5_0=socket:" + socket;
      Map<String, String> environment = Map.of("XDG_RUNTIME_DIR", directory.toString());
      assertThat(fail(folder, environment, "run", "--device", device, "--", "true"))
          .contains("XDG_RUNTIME_DIR", "LD_PRELOAD");
      assertThat(server.clients()).isZero();
      assertThat(tree.path()).exists();
    }
  }

  @Test
  void theSocketOfAnotherUserIsNamedAsSuch() throws IOException {
    assumeTrue(Processes.userId() == 0, "only root can give a file away");
    Path socket = Files.createFile(folder.resolve("foreign.sock"));
    Files.setAttribute(socket, "unix:uid", 65534);
    assertThatExceptionOfType(WorkFailed.class)
        .isThrownBy(() -> NamedDevice.of(List.of("a=socket:" + socket), null).getFirst().ensure())
        .withMessageContaining("belongs to user 65534");
  }

  private static void refuse(String why, @Nullable Path socket, String... options) {
    assertThatExceptionOfType(WorkFailed.class)
        .isThrownBy(() -> NamedDevice.of(List.of(options), socket))
        .withMessageContaining(why);
  }
}
