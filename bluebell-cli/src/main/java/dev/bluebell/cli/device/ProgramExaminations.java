package dev.bluebell.cli.device;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.device.Examination.Verdict;
import dev.bluebell.cli.share.RuntimeFolder;
import dev.bluebell.server.ProcessMemory;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.server.ThreadPriority;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.uverbs.Shim;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Checks the requirements of {@code bluebell run}. Everything else works without them, so a missing
 * one is only a note.
 */
final class ProgramExaminations {
  private static final String PTRACE_SCOPE = "proc/sys/kernel/yama/ptrace_scope";

  private static final String GRANT_PRECEDENCE =
      "If applications spin on all processors, bluebell run answers some of their messages"
          + " milliseconds late. Grant precedence: in limits.conf, USER - rtprio 2; in a container,"
          + " --cap-add=SYS_NICE or --ulimit rtprio=2.";

  /** Docker gives a container 64 MiB, which one process of Open MPI can fill. */
  private static final long FEW_SHARED_BYTES = 256L << 20;

  /** From this value of ptrace_scope on, a process can't give the device process access. */
  private static final int ADMINISTRATORS_ONLY = 2;

  private static final List<String> LIBRARIES =
      List.of("usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "usr/lib64", "usr/lib");

  /** Asks the machine; tests give answers of their own. */
  interface Question<T> {
    T ask() throws IOException;
  }

  private ProgramExaminations() {}

  static List<Examination> all(Machine machine) {
    List<Path> libraries = LIBRARIES.stream().map(machine::path).toList();
    return List.of(
        shim(Shim.isBuilt()),
        library("libibverbs", "libibverbs1", libraries),
        library("libmlx5", "ibverbs-providers", libraries),
        runtimeFolder(RuntimeFolder::get),
        sharedMemory(ProgramExaminations::shareAPage),
        processMemory(ProgramExaminations::readChild, machine.path(PTRACE_SCOPE)),
        seccomp(machine),
        sharedFiles(() -> Files.getFileStore(machine.path("dev/shm")).getUsableSpace()),
        precedence(() -> new ThreadPriority().allowed()));
  }

  private static Examination note(String subject, String found, String remedy) {
    return new Examination(subject, Verdict.NOTE, found, remedy);
  }

  static Examination shim(boolean built) {
    return built
        ? Examination.good("preload library", "built, for bluebell run")
        : note(
            "preload library",
            "not built, because gcc was missing; bluebell run does not work",
            "Install gcc (Debian and Ubuntu: apt install gcc libc6-dev); the next command builds"
                + " it.");
  }

  static Examination library(String name, String debianPackage, List<Path> folders) {
    String file = name + ".so.1";
    return folders.stream()
        .map(folder -> folder.resolve(file))
        .filter(Files::exists)
        .findFirst()
        .map(path -> Examination.good(name, path.toString()))
        .orElseGet(
            () ->
                note(
                    name,
                    file + " is not in any standard location",
                    "For bluebell run, install rdma-core (Debian and Ubuntu: apt install %s)."
                        .formatted(debianPackage)));
  }

  static Examination runtimeFolder(Question<Path> folder) {
    String subject = "runtime folder";
    try {
      Path path = folder.ask();
      Path tried = Files.createTempFile(path, "doctor", "");
      Files.delete(tried);
      return Examination.good(subject, path.toString());
    } catch (IOException | WorkFailed e) {
      return note(
          subject,
          String.valueOf(e.getMessage()),
          "For bluebell run and serve, set XDG_RUNTIME_DIR to a folder that you own, or give"
              + " --socket.");
    }
  }

  static Examination processMemory(Question<Boolean> attempt, Path ptraceScope) {
    String subject = "process memory";
    Optional<Integer> scope = ptraceScope(ptraceScope);
    String restriction =
        scope.map("kernel.yama.ptrace_scope is %d"::formatted).orElse("nothing restricts it");
    boolean restricted = scope.orElse(0) >= ADMINISTRATORS_ONLY;
    boolean works;
    try {
      works = attempt.ask();
    } catch (IOException e) {
      works = false;
    }
    if (works) {
      return Examination.good(subject, "process_vm_readv works; " + restriction);
    }
    return note(
        subject,
        "process_vm_readv of a child fails; " + restriction,
        restricted
            ? "For bluebell run, let applications give the device process access: sysctl"
                + " kernel.yama.ptrace_scope=1."
            : "For bluebell run, let the container's seccomp filter pass process_vm_readv and"
                + " process_vm_writev (docker run --cap-add=SYS_PTRACE).");
  }

  /** Creates memory that processes can share. */
  interface Sharing {
    void run() throws IOException;
  }

  /** Checks memfd_create, whose memory holds the queues and doorbells of clients. */
  static Examination sharedMemory(Sharing sharing) {
    try {
      sharing.run();
      return Examination.good("shared memory", "memfd_create works");
    } catch (IOException e) {
      return note(
          "shared memory",
          String.valueOf(e.getMessage()),
          "For bluebell run and serve, let the container's seccomp filter pass memfd_create.");
    }
  }

  private static void shareAPage() throws IOException {
    SharedMemory.sparse("doctor", SharedMemory.PAGE_BYTES).close();
  }

  /** Checks for a seccomp filter, as in containers, which may block system calls of the device. */
  static Examination seccomp(Machine machine) {
    String subject = "seccomp";
    return switch (machine.value("proc/self/status", "Seccomp").orElse("")) {
      case "0" -> Examination.good(subject, "no filter for system calls");
      case "" -> new Examination(subject, Verdict.UNKNOWN, "the kernel does not say", "");
      default ->
          Examination.good(
              subject, "a filter, as is usual in containers; the lines above show what it allows");
    };
  }

  /** Checks /dev/shm, which applications need; the device does not use it. */
  static Examination sharedFiles(Question<Long> size) {
    String subject = "/dev/shm";
    try {
      long bytes = size.ask();
      String found = "%,d MiB".formatted(bytes >> 20);
      return bytes >= FEW_SHARED_BYTES
          ? Examination.good(subject, found)
          : note(
              subject,
              found,
              "UCX and Open MPI share memory between processes there, and die with a bus error when"
                  + " it is full: docker run --shm-size=1g.");
    } catch (IOException e) {
      return note(subject, "missing", "UCX and Open MPI need it: mount a tmpfs there.");
    }
  }

  /** Checks how fast the device can answer if more threads spin than there are processors. */
  static Examination precedence(Question<ThreadPriority.Kind> priority) {
    String subject = "precedence";
    try {
      return switch (priority.ask()) {
        case REAL_TIME -> Examination.good(subject, "the device's thread may use SCHED_RR");
        case NICE ->
            note(
                subject,
                "the device's thread may use a nice value below 0, but not SCHED_RR",
                GRANT_PRECEDENCE);
        case NOT_AT_ALL ->
            note(
                subject,
                "the device's thread may use neither SCHED_RR nor a nice value below 0",
                GRANT_PRECEDENCE);
      };
    } catch (IOException e) {
      return new Examination(subject, Verdict.UNKNOWN, "the limits can't be read", "");
    }
  }

  private static Optional<Integer> ptraceScope(Path path) {
    try {
      return Optional.of(Integer.parseInt(Files.readString(path).strip()));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Reads a word of the text segment of a child process. */
  private static boolean readChild() throws IOException {
    Process child = new ProcessBuilder("cat").start();
    try (Arena arena = Arena.ofConfined();
        WatchedProcess watched = WatchedProcess.open((int) child.pid())) {
      String first = Files.readAllLines(Path.of("/proc/%d/maps".formatted(child.pid()))).getFirst();
      long address = Long.parseUnsignedLong(first, 0, first.indexOf('-'), 16);
      return new ProcessMemory(watched).read(address, arena.allocate(Long.BYTES));
    } finally {
      child.destroyForcibly();
    }
  }
}
