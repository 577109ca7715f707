package dev.bluebell.lab.rxe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Third-party programs that connect through the connection manager, with one end in the virtual
 * machine and the other on a device process.
 */
final class ManagedPrograms implements AutoCloseable {
  /** Shorter than the guest's patience, so that it answers. */
  private static final int PATIENCE_SECONDS = 50;

  /** Maximum number of looks until a process has started. */
  private static final int ATTEMPTS = 30;

  /**
   * Maximum number of times that both ends of a program are started. A server of perftest listens
   * twice, one time after the other. Its client does not wait for the second time: it is rejected
   * and dies, and leaves a server that takes the next client for the second half of the first. On
   * two processors, one start of four fails so.
   */
  private static final int TRIES = 8;

  private static final String SOCKET = "device.sock";

  /**
   * Shell code that waits until the server in the virtual machine has written its exit code, for a
   * number of half seconds at most.
   */
  private static final String AWAIT_CODE =
      "i=0; until [ -s /tmp/code ] || [ $i -gt %d ]; do i=$((i+1)); sleep 0.5; done";

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final String bluebell;
  private final Guest guest;
  private final Network network;
  private final Path folder;
  private final Path socket;
  private final Process device;

  /**
   * A program and the arguments of its two ends, in which %s is the address of the server.
   *
   * @param both arguments of both ends
   */
  record Program(String both, String server, String client) {
    String name() {
      return both.substring(0, both.indexOf(' '));
    }

    String server(String address) {
      return both + " " + server.formatted(address);
    }

    String client(String address) {
      return both + " " + client.formatted(address);
    }
  }

  /** Starts a device process with the addresses of a network. */
  ManagedPrograms(String bluebell, Guest guest, Network network, int ownPort, int guestPort)
      throws IOException {
    this.bluebell = bluebell;
    this.guest = guest;
    this.network = network;
    folder = Files.createTempDirectory("rxe");
    socket = folder.resolve(SOCKET);
    device =
        start(
            "serve",
            "--socket",
            socket.toString(),
            "--device",
            "soft:listen=%s,frames=%d:%d".formatted(network.address(), ownPort, guestPort));
    for (int i = 0; !Files.exists(socket); i++) {
      if (i == ATTEMPTS || !device.isAlive()) {
        device.destroy();
        throw new IOException("the device process did not start: " + printed("serve"));
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private Process start(String command, String... arguments) {
    List<String> words = new ArrayList<>(List.of(bluebell, command));
    words.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(words)
          .redirectErrorStream(true)
          .redirectOutput(folder.resolve(command).toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process run(String command) {
    List<String> words = new ArrayList<>(List.of("--socket", socket.toString(), "--explain", "--"));
    words.addAll(List.of(command.split(" ")));
    return start("run", words.toArray(String[]::new));
  }

  /** Programs that run in this network. */
  List<Program> programs() {
    List<Program> programs =
        new ArrayList<>(
            List.of(
                new Program("rping -C 20 -V", "-s -a %s", "-c -a %s"),
                new Program("ucmatose -c 2 -C 10", "-b %s", "-s %s"),
                new Program("udaddy -c 2 -C 10", "-b %s", "-s %s")));
    if (network.equals(Network.IPV4)) {
      for (String name : List.of("write_bw", "read_lat -o 4", "send_bw")) {
        programs.add(new Program("ib_%s -R -F -n 100".formatted(name), "", "%s"));
      }
    }
    return programs;
  }

  /** Runs the server of a program here and its client in the virtual machine. */
  void serve(Program program) {
    for (int i = 1; !isServed(program, PAUSE_NANOS * (1 + i)); i++) {
      String failure =
          "the client in the virtual machine failed: %s; the server here printed: %s"
              .formatted(log(), printed("run"));
      if (i == TRIES) {
        throw new Disagreement(failure);
      }
      System.out.printf("again   %s: %s%n", program.both(), failure);
    }
  }

  /**
   * Starts both ends once; false when the client fails.
   *
   * @param lead time that the server has to listen
   */
  private boolean isServed(Program program, long lead) {
    Process server = run(program.server(network.address()));
    try {
      LockSupport.parkNanos(lead);
      int code =
          guest.shell(
              "timeout %d %s >/tmp/log 2>&1", PATIENCE_SECONDS, program.client(network.address()));
      if (code == 0) {
        expectGoodEnd(server);
      }
      return code == 0;
    } finally {
      end(server);
    }
  }

  /** Ends a process and those that it started. */
  private static void end(Process process) {
    List<ProcessHandle> all = process.descendants().toList();
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
  }

  /** Runs the client of a program here and its server in the virtual machine. */
  void ask(Program program) {
    for (int i = 1; !isAnswered(program); i++) {
      endServer(program);
      String failure =
          "the client on the software ConnectX failed and printed: %s; the server: %s"
              .formatted(printed("run"), log());
      if (i == TRIES) {
        throw new Disagreement(failure);
      }
      System.out.printf("again   %s: %s%n", program.both(), failure);
    }
  }

  /** Starts both ends once; false when the client fails. */
  private boolean isAnswered(Program program) {
    int started =
        guest.shell(
            "rm -f /tmp/code; i=0; while rdma res show cm_id | grep -q LISTEN; do"
                + " i=$((i+1)); [ $i -lt %d ] || exit 1; sleep 0.5; done; (timeout %d %s >/tmp/log"
                + " 2>&1; echo $? >/tmp/code) &",
            ATTEMPTS, PATIENCE_SECONDS, program.server(network.guestAddress()));
    if (started != 0) {
      throw new Disagreement("the server in the virtual machine did not start");
    }
    int listening =
        guest.shell(
            "i=0; until rdma res show cm_id | grep -q LISTEN; do i=$((i+1)); [ $i -lt %d ] || exit"
                + " 1; sleep 0.5; done",
            ATTEMPTS);
    if (listening != 0) {
      throw new Disagreement("the server in the virtual machine does not listen: " + log());
    }
    Process client = run(program.client(network.guestAddress()));
    if (await(client) != 0) {
      return false;
    }
    int code = guest.shell(AWAIT_CODE + "; exit $(cat /tmp/code)", 2 * PATIENCE_SECONDS);
    if (code != 0) {
      throw new Disagreement(
          "the server in the virtual machine ended with %d: %s".formatted(code >> 8, log()));
    }
    return true;
  }

  /**
   * Ends the server in the virtual machine and waits for its exit code, which could be taken for
   * that of the next server otherwise.
   */
  private void endServer(Program program) {
    int unused =
        guest.shell("killall -q -9 %s; " + AWAIT_CODE, program.name(), 2 * PATIENCE_SECONDS);
  }

  private void expectGoodEnd(Process server) {
    int code = await(server);
    if (code != 0) {
      throw new Disagreement(
          "the server on the software ConnectX ended with %d and printed: %s"
              .formatted(code, printed("run")));
    }
  }

  private String log() {
    int unused = guest.shell("tail -n 5 /tmp/log >/dev/ttyS1");
    return "its last lines are above";
  }

  private String printed(String command) {
    try {
      return Files.readString(folder.resolve(command));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The exit code of a process; −1 when it does not end in time. */
  private static int await(Process process) {
    try {
      return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      end(process);
    }
  }

  @Override
  public void close() throws IOException {
    device.destroy();
    int unused = await(device);
    for (String name : List.of(SOCKET, "serve", "run")) {
      Files.deleteIfExists(folder.resolve(name));
    }
    Files.delete(folder);
  }
}
