package dev.bluebell.cli.share;

import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.cli.command.FabricLine;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Processes;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.ThreadPriority;
import dev.bluebell.server.remote.ClientShares;
import dev.bluebell.server.remote.ObserverService;
import dev.bluebell.server.remote.Observers;
import dev.bluebell.server.remote.RemoteService;
import dev.bluebell.uverbs.DeviceTree;
import dev.bluebell.uverbs.UverbsService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code bluebell serve}: runs the device process. */
@Command(
    name = "serve",
    header = "Share a device with other processes until interrupted.",
    description =
        "Applications that 'bluebell run' starts find the device at the socket and share it, and so"
            + " do Java applications that open the device socket:PATH. 'bluebell run' starts a"
            + " device process by itself when there is none.")
public final class ServeCommand extends CliCommand {
  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description = "Where to listen. Default: where 'bluebell run' looks for it.")
  private @Nullable Path socket;

  @Option(
      names = {"-d", "--device"},
      paramLabel = "SPEC",
      description =
          "The device, such as soft, soft:spin=0,sleep=100 or soft:loss=5%%. Default: soft.")
  private String device = SOFT;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description =
          "An address of this machine at which the device exchanges RoCEv2 packets over UDP with"
              + " other devices, such as 127.0.0.2, or ::1: the same as the option listen of the"
              + " device. Without it the device cannot reach other devices.")
  private @Nullable String listen;

  @Option(names = "--detached", hidden = true)
  private boolean detached;

  @Option(
      names = "--idle-exit",
      paramLabel = "SECONDS",
      description = "End when no client has been connected for this long. Default: never.")
  private long idleSeconds;

  /** Time limit for an orderly shutdown. */
  private static final int PATIENCE_SECONDS = 5;

  /** Time in which a process that {@code run} started begins to listen. */
  static final int LISTEN_SECONDS = 30;

  static final String SOFT = "soft";

  // Added to the options of the device unless they are among them.
  private static final List<String> OFTEN = List.of("spin=100", "sleep=500");
  private static final String SOFT_WITH_OPTIONS = SOFT + ":";

  /** The file type bits of a file's mode, and their value for sockets ({@code inode(7)}). */
  private static final int FILE_TYPE = 0170000;

  private static final int SOCKET = 0140000;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (idleSeconds < 0) {
      throw wrongUsage("--idle-exit must be at least 0 seconds; 0 means never");
    }
    if (listen != null) {
      if (!DeviceOption.isSoft(device)) {
        throw wrongUsage("--listen is for the software device only, but --device names " + device);
      }
      device = DeviceOption.with(device, "listen=" + listen);
    }
    Path path = path();
    if (detached) {
      Processes.leaveSession();
    }
    Processes.sleepPrecisely();
    // Checked before any file is created next to it.
    requireUsable(path);
    // The shutdown thread waits for this latch; the lock is released last.
    CountDownLatch freed = new CountDownLatch(1);
    try (SocketLock lock = SocketLock.tryToTake(RuntimeFolder.lock(path))) {
      if (lock == null) {
        if (detached) {
          // Two clients that start at the same time each start a process; the first serves both.
          return ExitCode.OK;
        }
        throw new WorkFailed(
            "another device process uses the socket %s; use that one, or name another with --socket"
                .formatted(path));
      }
      lock.say(device);
      LastResort lastResort = new LastResort(path, lock, err());
      Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
      Thread.setDefaultUncaughtExceptionHandler(lastResort);
      try {
        serve(path, freed, lastResort);
        if (detached) {
          removeIfEmpty(RuntimeFolder.log(path));
        }
      } finally {
        Thread.setDefaultUncaughtExceptionHandler(before);
      }
    } finally {
      freed.countDown();
    }
    return ExitCode.OK;
  }

  private Path path() throws IOException {
    if (socket == null) {
      return RuntimeFolder.socket();
    }
    if (socket.toString().isEmpty()) {
      throw wrongUsage("--socket is empty: give it a path, or leave it out");
    }
    Path path = socket.toAbsolutePath();
    int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > LocalSocket.MAX_PATH_BYTES) {
      throw wrongUsage(
          "--socket: %s has %d bytes, and the path of a socket has at most %d; choose a shorter one"
              .formatted(path, bytes, LocalSocket.MAX_PATH_BYTES));
    }
    return path;
  }

  // An empty log is useless; any other is worth reading after the end.
  private static void removeIfEmpty(Path log) throws IOException {
    if (Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS) && Files.size(log) == 0) {
      Files.delete(log);
    }
  }

  /**
   * Checks that a device process can listen at a path.
   *
   * @throws WorkFailed when its folder does not exist, or something else than a socket is there
   */
  static void requireUsable(Path path) throws IOException {
    Path folder = path.getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new WorkFailed(
          "the socket %s can't be created: its folder does not exist; create the folder, or name another socket with --socket"
              .formatted(path));
    }
    // Listening replaces this file: only the socket of a killed device process may be replaced.
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && ((Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & FILE_TYPE)
            != SOCKET) {
      throw new WorkFailed(
          "%s exists and is not a socket; give --socket a path that does not exist"
              .formatted(path));
    }
  }

  private void serve(Path path, CountDownLatch freed, LastResort lastResort)
      throws IOException, InterruptedException {
    // Installed before clients can connect: a client could see this process and end it.
    CompletableFuture<DeviceServer> listening = new CompletableFuture<>();
    Thread stop = Thread.ofPlatform().unstarted(() -> stop(listening, freed, lastResort));
    Runtime.getRuntime().addShutdownHook(stop);
    if (detached) {
      // It holds the lock, so that no other one could start.
      lastResort.await(
          listening,
          LISTEN_SECONDS,
          TimeUnit.SECONDS,
          "the device process ends, because it did not begin to listen within %d s: the machine is too busy, or opening the device hangs"
              .formatted(LISTEN_SECONDS));
    }
    try (Hca hca = open();
        DeviceTree tree = DeviceTree.create(RuntimeFolder.tree(path), hca);
        DeviceServer server = new DeviceServer(path, services(hca), Quotas.of(hca))) {
      listening.complete(server);
      precede(hca);
      // A process that 'run' started writes this line to its log.
      FabricLine.options(hca.diagnosis()).ifPresent(fabric -> out().println("fabric: " + fabric));
      if (!detached) {
        out()
            .println(
                "device %s is shared at %s, described in %s".formatted(device, path, tree.path()));
        out().println("Java applications: Device.open(\"socket:%s\")".formatted(path));
        out()
            .println(
                "rdma-core applications: ./bluebell run --socket %s -- COMMAND".formatted(path));
      }
      out().flush();
      server.awaitIdle(TimeUnit.SECONDS.toNanos(idleSeconds));
    } finally {
      boolean unused = listening.cancel(false);
    }
  }

  // If clients spin on every processor, a thread that wakes up has to wait for one.
  private static void precede(Hca hca) throws IOException {
    HcaHosting hosting = hca.hosting().orElse(null);
    if (hosting != null) {
      hosting.precede(new ThreadPriority());
    }
  }

  private static DeviceServer.Service services(Hca hca) {
    Observers observers = new Observers(hca);
    ClientShares shares = new ClientShares(hca);
    return new RemoteService(
        observers,
        shares,
        new ObserverService(observers, new UverbsService(hca, shares, observers)));
  }

  // The JVM ends when this thread ends, so it waits until the main thread has removed the folder.
  private static void stop(
      CompletableFuture<DeviceServer> listening, CountDownLatch freed, LastResort lastResort) {
    try {
      CompletableFuture<Void> unused = listening.thenAccept(DeviceServer::disconnect);
      if (!freed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        lastResort.end(
            "the device process ends without freeing everything: that took more than %d seconds"
                .formatted(PATIENCE_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // Doorbells of other processes do not wake the device, so it must poll often.
  private static String shared(String device) {
    if (device.equals(SOFT)) {
      return SOFT_WITH_OPTIONS + String.join(",", OFTEN);
    }
    if (!device.startsWith(SOFT_WITH_OPTIONS) || device.equals(SOFT_WITH_OPTIONS)) {
      return device;
    }
    String given = "," + device.substring(SOFT_WITH_OPTIONS.length());
    return OFTEN.stream()
        .filter(option -> !given.contains("," + option.substring(0, option.indexOf('='))))
        .reduce(device, (options, option) -> options + "," + option);
  }

  private Hca open() {
    String full = shared(device);
    try {
      return HcaProvider.require(full);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    }
  }
}
