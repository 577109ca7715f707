package dev.bluebell.cli.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.cli.Main;
import dev.bluebell.cli.command.FabricLine;
import dev.bluebell.cli.perf.CliProcess;
import dev.bluebell.cli.trace.DecodedTrace;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.uverbs.Shim;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code serve} and {@code run}. The tests of uverbs show what programs do with the device. */
class ShareTest {
  private static final String PYTHON = "/usr/bin/python3";

  /** Time and process of a line in a file of explanations. */
  private static final String FROM_PYTHON = "20[0-9T:.-]+Z [0-9]+ \\(python3\\): ";

  @TempDir private Path folder;

  private final StringWriter err = new StringWriter();

  private Path socket() {
    return folder.resolve("device.sock");
  }

  private int execute(String... words) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(new StringWriter()));
    command.setErr(new PrintWriter(err));
    return command.execute(words);
  }

  private int run(String... program) {
    List<String> words = new ArrayList<>(List.of("run", "--socket", socket().toString(), "--"));
    words.addAll(List.of(program));
    return execute(words.toArray(String[]::new));
  }

  /**
   * A device process inside this process, which ends soon after {@link #end}. A guest stays
   * connected until then, so that a slow start of a test's program does not count as idle time.
   */
  private final class Served {
    private final AtomicInteger code = new AtomicInteger(-1);
    private final Thread thread;
    private final LocalSocket guest;

    Served() throws IOException {
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () ->
                      code.set(
                          execute("serve", "--socket", socket().toString(), "--idle-exit", "1")));
      guest = connect();
    }

    private LocalSocket connect() throws IOException {
      while (true) {
        try {
          return LocalSocket.connect(socket());
        } catch (IOException notYet) {
          if (!thread.isAlive()) {
            throw notYet;
          }
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
      }
    }

    /** Ends it; returns its exit code. */
    int end() throws InterruptedException {
      guest.close();
      thread.join();
      return code.get();
    }
  }

  @Test
  void applicationsFindTheDeviceAndRunReturnsTheirExitCode()
      throws IOException, InterruptedException {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    Served served = new Served();
    assertThat(run("sh", "-c", "test -S $BLUEBELL_SOCKET && test -d $SYSFS_PATH/class")).isZero();
    assertThat(run("sh", "-c", "exit 7")).isEqualTo(7);
    assertThat(run("/no/such/program")).isEqualTo(127);
    assertThat(err.toString())
        .contains("the command /no/such/program can't be started: No such file or directory\n");
    String name = "socket:" + socket();
    assertThat(execute("devinfo", "--device", name)).isZero();
    assertThat(execute("perf", "write", "--size", "32", "--iters", "1000", "--device", name))
        .as(err.toString())
        .isZero();
    assertThat(execute("serve", "--socket", socket().toString())).isEqualTo(1);
    assertThat(err.toString()).contains("another device process");
    assertThat(served.end()).isZero();
    assertThat(socket()).doesNotExist();
  }

  @Test
  @Tag("slow")
  void aClientGetsAnExplanationForAKeyThatItChanged() throws IOException, InterruptedException {
    Served served = new Served();
    String name = "socket:" + socket();
    assertThat(execute("museum", "run", "copyrpc-window", "--device", name))
        .as(err.toString())
        .isZero();
    assertThat(served.end()).isZero();
  }

  private static void requirePython() throws IOException, InterruptedException {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    assumeTrue(
        new ProcessBuilder(PYTHON, "-c", "import pyverbs")
                .redirectErrorStream(true)
                .start()
                .waitFor()
            == 0,
        "pyverbs is not installed (Debian and Ubuntu: apt install python3-pyverbs)");
  }

  @Test
  @Tag("slow")
  void applicationsNoticeThatTheirDeviceProcessWasKilled()
      throws IOException, InterruptedException {
    requirePython();
    DeviceProcess.ensure(socket(), ServeCommand.SOFT);
    ProcessHandle device = deviceProcess();
    Path output = folder.resolve("output.txt");
    AtomicInteger code = new AtomicInteger(-1);
    String script =
        Path.of(System.getProperty("basedir", ""), "../tools/compatibility/objects/device_end.py")
            .toString();
    Thread program =
        Thread.ofPlatform()
            .start(
                () ->
                    code.set(
                        run(
                            "sh",
                            "-c",
                            "exec \"$@\" >" + output + " 2>&1",
                            "sh",
                            PYTHON,
                            "-B",
                            script)));
    while (program.isAlive()
        && !(Files.exists(output) && Files.readString(output).contains("ready"))) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertThat(output).content().contains("ready");
    assertThat(device.destroyForcibly()).isTrue();
    program.join();
    assertThat(code).as(Files.readString(output)).hasValue(0);
    removeTree();
  }

  /**
   * Removes the tree. Its links to the machine's own files would disturb the removal of the folder.
   */
  private void removeTree() throws IOException {
    try (Stream<Path> left = Files.walk(RuntimeFolder.tree(socket()))) {
      for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void anUnknownDeviceIsReportedByTheProcessThatStartsIt()
      throws IOException, InterruptedException {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceProcess.ensure(socket(), "bar"))
        .withMessageStartingWith("there is no device 'bar': choose ");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  @Tag("slow")
  void aLibraryThatTheUserPreloadsReachesTheApplicationAlone()
      throws IOException, InterruptedException {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    String library = folder.resolve("none.so").toString();
    Path log = folder.resolve("log.txt");
    String script = "echo preloaded $LD_PRELOAD";
    ProcessBuilder builder =
        CliProcess.builder(
            List.of("run", "--socket", socket().toString(), "--", "sh", "-c", script));
    builder.environment().put("LD_PRELOAD", library);
    Process run = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(run.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
    assertThat(log).content().containsPattern("preloaded /.*bluebell.*:" + library);
    ProcessHandle device = deviceProcess();
    Path environment = Path.of("/proc/%d/environ".formatted(device.pid()));
    assertThat(Files.readString(environment, StandardCharsets.ISO_8859_1).split("\0"))
        .extracting(variable -> variable.substring(0, variable.indexOf('=')))
        .contains("PATH")
        .doesNotContain("LD_PRELOAD");
    assertThat(device.destroy()).isTrue();
    device.onExit().join();
    assertThat(socket()).doesNotExist();
  }

  private ProcessHandle deviceProcess() throws IOException {
    try (LocalSocket connection = LocalSocket.connect(socket())) {
      return ProcessHandle.of(connection.peer().pid()).orElseThrow();
    }
  }

  private Path script(String name) throws IOException {
    Path script = folder.resolve(name);
    try (InputStream resource = ShareTest.class.getResourceAsStream(name)) {
      Files.copy(Objects.requireNonNull(resource), script);
    }
    return script;
  }

  @Test
  @Tag("slow")
  void failOnErrorSetsTheExitCodeAndWritesAFile() throws IOException, InterruptedException {
    requirePython();
    String script = script("wrong_rkey.py").toString();
    String file = folder.resolve("explanations.txt").toString();
    String socket = socket().toString();
    Served served = new Served();
    String[] options = {
      "run", "--socket", socket, "--fail-on-error", "--explain-file", file, "--", PYTHON
    };
    assertThat(execute(with(options, script))).isEqualTo(99);
    assertThat(err.toString())
        .isEqualTo(
            "bluebell: --fail-on-error: 2 explained, so the exit code is 99; the application's is"
                + " 7\n");
    assertThat(Path.of(file))
        .content()
        .matches(
            FROM_PYTHON
                + "QP 0x\\p{XDigit}+ send WQE 1 .*\nin verbs: rkey is wr\\.rdma\\.rkey .*\n"
                + FROM_PYTHON
                + "(flushed|QP 0x\\p{XDigit}+).*\n");

    String[] lost = {"run", "--socket", socket, "--explain-file", "/dev/full", "--", PYTHON};
    assertThat(execute(with(lost, script))).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "\nbluebell: QP 0x",
            "the explanations can't be written to /dev/full: No space left on device; name");
    Path trace = folder.resolve("trace.txt");
    String[] partly = {
      "run",
      "--socket",
      socket,
      "--fail-on-error",
      "--explain-file",
      "/dev/full",
      "--trace",
      trace.toString(),
      "--",
      PYTHON
    };
    assertThat(execute(with(partly, script))).as("the verdict and the other file").isEqualTo(99);
    assertThat(trace).content().contains("ended in error");

    assertThat(execute(with(options, "-c", "raise SystemExit(5)"))).isEqualTo(5);
    assertThat(Path.of(file)).as("nothing failed").isEmptyFile();

    assertThat(execute(with(options, script("disconnect.py").toString()))).isZero();
    assertThat(Path.of(file)).content().contains(": flushed, because QP ");

    assertThat(execute(with(options, script("shared_registers.py").toString()))).isZero();
    assertThat(Path.of(file)).content().contains("whose own doorbell was not seen");

    assertThat(execute(with(options, script("arm_before_event.py").toString()))).isZero();
    assertThat(Path.of(file)).content().contains("harmless if the last event has not been read");
    assertThat(served.end()).isZero();
  }

  @Test
  @Tag("slow")
  void explanationsOfAChildNameItAndAreInTheirFileWhileTheApplicationRuns()
      throws IOException, InterruptedException {
    requirePython();
    String file = folder.resolve("explanations.txt").toString();
    Served served = new Served();
    String wait = "$1 $2; timeout 30 sh -c 'until grep -q rkey $0; do sleep 0.05; done' $3";
    String[] words = {
      "run", "--socket", socket().toString(), "--explain", "--explain-file", file, "--"
    };
    String[] shell = with(words, "sh", "-c", wait, "sh");
    assertThat(execute(with(shell, PYTHON, script("wrong_rkey.py").toString(), file))).isZero();
    assertThat(err.toString())
        .containsPattern("^bluebell: [0-9]+ \\(python3\\): QP 0x[0-9a-f]+ send WQE 1 ");
    assertThat(served.end()).isZero();
  }

  @Test
  @Tag("slow")
  void aRunKeepsItsDeviceProcessWhileTheApplicationHasNoDeviceOpen()
      throws IOException, InterruptedException {
    String socket = socket().toString();
    Served served = new Served();
    // Fails once only the listening socket and that of Served are left. The command's first
    // connections end meanwhile.
    String watch =
        "for i in 1 2 3 4 5 6 7 8 9; do sleep 0.2;"
            + " [ $(grep -c \"$1\\$\" /proc/net/unix) -gt 2 ] || exit 3; done";
    assertThat(execute("run", "--socket", socket, "--", "sh", "-c", watch, "sh", socket)).isZero();
    assertThat(served.end()).isZero();
  }

  @Test
  @Tag("slow")
  void anInterruptedRunEndsItsApplicationAndWritesItsFiles()
      throws IOException, InterruptedException {
    requirePython();
    Path file = folder.resolve("explanations.txt");
    Path trace = folder.resolve("trace.txt");
    Path application = folder.resolve("pid");
    Served served = new Served();
    List<String> words = new ArrayList<>(List.of("run", "--socket", socket().toString()));
    words.addAll(List.of("--explain-file", file.toString(), "--trace", trace.toString()));
    words.add("--fail-on-error");
    words.addAll(List.of("--", "sh", "-c", "$1 $2; echo $$ >$3.new; mv $3.new $3; exec sleep 600"));
    words.addAll(List.of("sh", PYTHON, script("wrong_rkey.py").toString(), application.toString()));
    Path log = folder.resolve("log.txt");
    Process run =
        CliProcess.builder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      while (!Files.exists(application)) {
        assertThat(run.waitFor(10, TimeUnit.MILLISECONDS)).as("ended too early").isFalse();
      }
      run.destroy();
      assertThat(run.waitFor(60, TimeUnit.SECONDS)).as("ended after SIGTERM").isTrue();
    } finally {
      run.destroyForcibly();
    }
    assertThat(ProcessHandle.of(Long.parseLong(Files.readString(application).strip()))).isEmpty();
    assertThat(run.exitValue()).isEqualTo(143);
    assertThat(file)
        .content()
        .matches(FROM_PYTHON + "QP 0x\\p{XDigit}+ send WQE 1 .*\nin verbs: .*\n.+\n");
    assertThat(trace).content().contains("ended in error");
    assertThat(log).content().doesNotContain("the exit code is").contains("wrote the trace");
    assertThat(served.end()).isZero();
  }

  @Test
  @Tag("slow")
  void theReportOfAnInterruptedRunSaysThatItsApplicationGoesOn()
      throws IOException, InterruptedException {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    Path report = folder.resolve("report.html");
    Path application = folder.resolve("pid");
    Served served = new Served();
    List<String> words = new ArrayList<>(List.of("run", "--socket", socket().toString()));
    words.addAll(List.of("--report", report.toString(), "--", "sh", "-c"));
    words.add("trap '' TERM; echo $$ >$1.new; mv $1.new $1; exec sleep 600");
    words.addAll(List.of("sh", application.toString()));
    Process run = CliProcess.builder(words).redirectErrorStream(true).start();
    try {
      while (!Files.exists(application)) {
        assertThat(run.waitFor(10, TimeUnit.MILLISECONDS)).as("ended too early").isFalse();
      }
      run.destroy();
      assertThat(run.waitFor(60, TimeUnit.SECONDS)).as("ended after SIGTERM").isTrue();
      assertThat(report).content().contains("none: the application goes on after SIGTERM");
    } finally {
      run.destroyForcibly();
      ProcessHandle.of(Long.parseLong(Files.readString(application).strip()))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
    assertThat(run.exitValue()).isEqualTo(143);
    assertThat(served.end()).isZero();
  }

  private static String[] with(String[] options, String... more) {
    return Stream.of(options, more).flatMap(Stream::of).toArray(String[]::new);
  }

  @Test
  @Tag("slow")
  void aFailureOfAnApplicationIsExplainedAndRecorded() throws IOException, InterruptedException {
    requirePython();
    Path script = script("wrong_rkey.py");
    Path trace = folder.resolve("trace.txt");
    Served served = new Served();
    String socket = socket().toString();
    assertThat(
            execute(
                "run",
                "--socket",
                socket,
                "--explain",
                "--trace",
                trace.toString(),
                "--",
                PYTHON,
                script.toString()))
        .isEqualTo(7);
    assertThat(err.toString().lines())
        .as("the refusal is reported once although both ends belong to this application")
        .hasSize(4)
        .allMatch(line -> line.startsWith("bluebell: "))
        .anyMatch(line -> line.startsWith("bluebell: in verbs: rkey is wr.rdma.rkey"))
        .anyMatch(
            line ->
                line.matches(
                    "bluebell: QP 0x[0-9a-f]+ send WQE 1 \\(opcode RDMA_WRITE, .*: the responder"
                        + " refused it: QP 0x[0-9a-f]+ refused the request at PSN 0x000001: rkey"
                        + " .*"))
        .anyMatch(line -> line.contains("flushed, because"))
        .anyMatch(line -> line.startsWith("bluebell: wrote the trace " + trace + ": "));
    assertThat(Files.readString(trace))
        .contains("fetched WQE 0 RDMA_WRITE", "ctrl opcode=RDMA_WRITE index=1", "WR_FLUSH_ERR");

    assertThat(
            execute(
                "run", "--socket", socket, "--trace", trace.toString(), "--", PYTHON, "-c", "1"))
        .isZero();
    assertThat(err.toString().lines()).as("no explanation without --explain").hasSize(5);
    assertThat(trace).as("no event of the application before").isEmptyFile();

    Path perfetto = folder.resolve("trace.pftrace");
    Path report = folder.resolve("report.html");
    assertThat(
            execute(
                "run",
                "--socket",
                socket,
                "--trace",
                perfetto.toString(),
                "--report",
                report.toString(),
                "--",
                PYTHON,
                script.toString()))
        .isEqualTo(7);
    assertThat(new DecodedTrace(Files.readAllBytes(perfetto)).events())
        .anyMatch(event -> event.name().equals("delivered") && !event.flows().isEmpty())
        .anyMatch(
            event -> event.notes().getOrDefault("explanation", "").toString().contains("rkey"));
    assertThat(Files.readString(report))
        .contains("<mark>rkey=0x", "<dt>Exit code</dt><dd>7</dd>", "port_xmit_packets")
        .contains("<dt>Devices</dt><dd>mlx5_0 (soft)</dd>", "executed WQE 0 of QP 0x")
        .contains("<dt>In verbs</dt><dd>rkey is wr.rdma.rkey (");
    assertThat(err.toString()).contains("bluebell: wrote the report " + report + ": ");
    assertThat(served.end()).isZero();
  }

  @Test
  @Tag("slow")
  void theQueuesThatAFailedApplicationLeftAreShownIfNothingElseIsExplained()
      throws IOException, InterruptedException {
    requirePython();
    Served served = new Served();
    String script = script("unsignalled.py").toString();
    assertThat(execute("run", "--socket", socket().toString(), "--explain", "--", PYTHON, script))
        .isEqualTo(3);
    assertThat(err.toString())
        .matches(
            "bluebell: nothing was explained\\. These queues existed when the application ended, as"
                + " the device saw them:\n"
                + "bluebell:   CQ 0x[0-9a-f]+: .* entries, producer index 0, OK, not armed\n"
                + "bluebell:   QP 0x[0-9a-f]+: RC, RTS, .*, the last executed request is not"
                + " signalled, so no completion reports it, .*\n");
    assertThat(served.end()).isZero();
  }

  @Test
  @Tag("slow")
  void aDeviceProcessThatFindsAnotherIsNoFailureAndAStoppedOneLeavesNoFiles()
      throws IOException, InterruptedException {
    AtomicReference<Exception> failure = new AtomicReference<>();
    Thread starting;
    try (FileChannel other =
        FileChannel.open(
            folder.resolve("device.sock.lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      assertThat(other.tryLock()).isNotNull();
      starting = Thread.ofPlatform().start(() -> ensure(failure));
      Optional<ProcessHandle> child = Optional.empty();
      while (child.isEmpty() && starting.isAlive()) {
        child = ProcessHandle.current().children().filter(this::servesHere).findFirst();
      }
      child.orElseThrow().onExit().join();
    }
    starting.join();
    assertThat(failure).hasNullValue();

    ProcessHandle device = deviceProcess();
    assertThat(folder.resolve("device.sock.sysfs")).exists();
    assertThat(device.destroy()).isTrue();
    device.onExit().join();
    assertThat(socket()).doesNotExist();
    assertThat(folder.resolve("device.sock.sysfs")).doesNotExist();
    assertThat(folder.resolve("device.sock.lock")).doesNotExist();
    assertThat(folder.resolve("device.sock.log")).doesNotExist();
  }

  private void ensure(AtomicReference<Exception> failure) {
    try {
      DeviceProcess.ensure(socket(), ServeCommand.SOFT);
    } catch (Exception e) {
      failure.set(e);
    }
  }

  private boolean servesHere(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(socket().toString());
  }

  @Test
  void aFileThatIsNoSocketIsNotReplaced() throws IOException {
    Files.writeString(socket(), "precious");
    assertThat(execute("serve", "--socket", socket().toString(), "--idle-exit", "1")).isEqualTo(1);
    assertThat(err.toString()).contains(socket().toString(), "is not a socket");
    assertThat(socket()).hasContent("precious");
    assertThat(folder).isDirectoryNotContaining(file -> !file.equals(socket()));
    assertThat(run("true")).isEqualTo(1);
    assertThat(folder).isDirectoryNotContaining(file -> !file.equals(socket()));
  }

  @Test
  @Tag("slow")
  void plantedLinksAreNotFollowed() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious"), "precious");
    for (String suffix : List.of(".lock", ".log")) {
      Path link = folder.resolve("device.sock" + suffix);
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, precious);
      assertThat(run("true")).as(suffix).isEqualTo(1);
      assertThat(execute("serve", "--socket", socket().toString(), "--idle-exit", "1"))
          .as(suffix)
          .isEqualTo(suffix.equals(".lock") ? 1 : 0);
      assertThat(err.toString()).contains(link + " is a symbolic link, which is not followed");
      assertThat(precious).hasContent("precious");
      Files.delete(link);
    }
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createSymbolicLink(folder.resolve("device.sock.sysfs"), elsewhere);
    assertThat(execute("serve", "--socket", socket().toString(), "--idle-exit", "1")).isZero();
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  @Tag("slow")
  void aDeviceProcessWithFewDescriptorsOutlivesConnectionsThatSayNothing()
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 96; exec \"$@\"", "sh"));
    command.addAll(DeviceProcess.command(socket(), ServeCommand.SOFT));
    Path log = folder.resolve("log.txt");
    Process device =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    List<LocalSocket> silent = new ArrayList<>();
    try {
      while (!DeviceProcess.listens(socket()) && device.isAlive()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
      for (int i = 0; i < 200; i++) {
        silent.add(LocalSocket.connect(socket()));
      }
      assertThat(execute("devinfo", "--device", "socket:" + socket())).as(err.toString()).isZero();
      assertThat(device.isAlive()).isTrue();
    } finally {
      device.destroy();
      boolean ended = device.waitFor(30, TimeUnit.SECONDS);
      device.destroyForcibly();
      silent.forEach(LocalSocket::close);
      assertThat(ended).as("ended after SIGTERM").isTrue();
    }
    assertThat(socket()).doesNotExist();
    assertThat(folder.resolve("device.sock.lock")).doesNotExist();
    assertThat(log).as("log").isEmptyFile();
  }

  @Test
  @Tag("slow")
  void aStuckDeviceDoesNotKeepItsProcessFromEnding() throws IOException, InterruptedException {
    Path log = folder.resolve("log.txt");
    Process device =
        new ProcessBuilder(DeviceProcess.command(socket(), StuckProvider.NAME))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      while (!DeviceProcess.listens(socket()) && device.isAlive()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
      device.destroy();
      assertThat(device.waitFor(60, TimeUnit.SECONDS)).as("ended after SIGTERM").isTrue();
    } finally {
      device.destroyForcibly();
    }
    assertThat(log).content().contains("ends without freeing everything");
    assertThat(device.exitValue()).isEqualTo(1);
    assertThat(socket()).doesNotExist();
    assertThat(folder.resolve("device.sock.lock")).doesNotExist();
  }

  @Test
  void aSocketInAFolderThatDoesNotExistIsRefused() {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    assertThat(execute("run", "--socket", "/no/such/x.sock", "--", "true")).isEqualTo(1);
    assertThat(err)
        .hasToString(
            "bluebell: the socket /no/such/x.sock can't be created: its folder does not exist;"
                + " create the folder, or name another socket with --socket\n");
  }

  @Test
  @Tag("slow")
  void aTraceThatCannotBeWrittenIsReportedBeforeTheApplicationRuns() {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    Path ran = folder.resolve("ran");
    String trace = folder.resolve("missing/trace.txt").toString();
    assertThat(
            execute(
                "run",
                "--socket",
                socket().toString(),
                "--trace",
                trace,
                "--",
                "touch",
                ran.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("the trace can't be written to " + trace);
    assertThat(ran).doesNotExist();
  }

  @Test
  void aNegativeTimeToWaitIsWrongUsage() {
    assertThat(execute("serve", "--socket", socket().toString(), "--idle-exit=-1")).isEqualTo(2);
  }

  @Test
  void theFabricThatServeDescribesHasNoCounters() {
    try (Device device = Device.open("soft:engine=poll,loss=5%,seed=7")) {
      assertThat(FabricLine.of(device.diagnosis()).orElseThrow()).contains("packets sent");
      assertThat(FabricLine.options(device.diagnosis()).orElseThrow())
          .startsWith("loss=5")
          .endsWith("seed=7");
    }
  }

  @Test
  @Tag("slow")
  void timesToSpinAndToSleepCanBeChosen() {
    String device = "soft:sleep=1000,spin=0";
    assertThat(
            execute(
                "serve", "--socket", socket().toString(), "--device", device, "--idle-exit", "1"))
        .as(err::toString)
        .isZero();
  }

  @Test
  void anUnknownDeviceIsNamed() {
    assertThat(execute("serve", "--socket", socket().toString(), "--device", "mlx9_9"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("there is no device 'mlx9_9'", "soft:loss=5%");
  }

  @Test
  @Tag("slow")
  void optionsBehindTheApplicationAreTheApplications() {
    String script = "test \"$1\" = --explain && exit 7";
    assertThat(
            execute("run", "--socket", socket().toString(), "sh", "-c", script, "0", "--explain"))
        .isEqualTo(7);
  }

  @Test
  void anApplicationIsNeeded() {
    assertThat(execute("run")).isEqualTo(2);
  }
}
