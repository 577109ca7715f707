package dev.bluebell.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.device.Examination.Verdict;
import dev.bluebell.server.ThreadPriority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Missing requirements of {@code bluebell run} are reported, with a remedy. */
class ProgramExaminationsTest {
  @TempDir private Path folder;

  private static void expectNote(Examination examination, String found, String remedy) {
    assertThat(examination.verdict()).isEqualTo(Verdict.NOTE);
    assertThat(examination.found()).contains(found);
    assertThat(examination.remedy()).contains(remedy);
  }

  private static void expectGood(Examination examination, String found) {
    assertThat(examination.verdict()).isEqualTo(Verdict.GOOD);
    assertThat(examination.found()).contains(found);
    assertThat(examination.remedy()).isEmpty();
  }

  private Path scope(int value) throws IOException {
    return Files.writeString(folder.resolve("ptrace_scope"), value + "\n");
  }

  @Test
  void withoutACompilerGccIsTheRemedy() {
    expectNote(ProgramExaminations.shim(false), "not built", "apt install gcc");
    expectGood(ProgramExaminations.shim(true), "built");
  }

  @Test
  void aLibraryIsSoughtInAllFolders() throws IOException {
    List<Path> folders = List.of(folder.resolve("none"), folder);
    expectNote(
        ProgramExaminations.library("libmlx5", "ibverbs-providers", folders),
        "libmlx5.so.1 is not",
        "apt install ibverbs-providers");
    Files.createFile(folder.resolve("libmlx5.so.1"));
    expectGood(
        ProgramExaminations.library("libmlx5", "ibverbs-providers", folders),
        folder.resolve("libmlx5.so.1").toString());
  }

  @Test
  void aRuntimeFolderMustBeWritable() {
    expectGood(ProgramExaminations.runtimeFolder(() -> folder), folder.toString());
    expectNote(
        ProgramExaminations.runtimeFolder(() -> folder.resolve("none")), "none", "XDG_RUNTIME_DIR");
    expectNote(
        ProgramExaminations.runtimeFolder(
            () -> {
              throw new WorkFailed("belongs to another");
            }),
        "belongs to another",
        "--socket");
  }

  @Test
  void memoryThatCanBeReadIsGood() throws IOException {
    expectGood(
        ProgramExaminations.processMemory(() -> true, folder.resolve("none")),
        "nothing restricts it");
    expectGood(ProgramExaminations.processMemory(() -> true, scope(1)), "ptrace_scope is 1");
    expectGood(ProgramExaminations.processMemory(() -> true, scope(2)), "ptrace_scope is 2");
  }

  @Test
  void aHighPtraceScopeGetsTheAdviceToLowerIt() throws IOException {
    expectNote(
        ProgramExaminations.processMemory(() -> false, scope(2)),
        "fails",
        "sysctl kernel.yama.ptrace_scope=1");
  }

  @Test
  void aForbiddenCallGetsTheAdviceToAllowIt() throws IOException {
    expectNote(ProgramExaminations.processMemory(() -> false, scope(0)), "fails", "SYS_PTRACE");
    expectNote(
        ProgramExaminations.processMemory(
            () -> {
              throw new IOException("no /proc");
            },
            folder.resolve("none")),
        "fails",
        "seccomp");
  }

  @Test
  void sharedMemoryThatCannotBeMadeIsNamed() {
    expectGood(ProgramExaminations.sharedMemory(() -> {}), "memfd_create works");
    expectNote(
        ProgramExaminations.sharedMemory(
            () -> {
              throw new IOException("memfd_create: EPERM");
            }),
        "EPERM",
        "seccomp");
  }

  @Test
  void aSystemCallFilterIsReported() throws IOException {
    Machine machine = new Machine(folder);
    assertThat(ProgramExaminations.seccomp(machine).verdict()).isEqualTo(Verdict.UNKNOWN);
    Path status = folder.resolve("proc/self/status");
    Path unused = Files.createDirectories(status.getParent());
    unused = Files.writeString(status, "Name:\tjava\nSeccomp:\t0\nSeccomp_filters:\t0\n");
    expectGood(ProgramExaminations.seccomp(machine), "no filter");
    unused = Files.writeString(status, "Name:\tjava\nSeccomp:\t2\nSeccomp_filters:\t1\n");
    expectGood(ProgramExaminations.seccomp(machine), "a filter, as is usual in containers");
  }

  @Test
  void aSmallSharedFileSystemGetsTheAdviceToEnlargeIt() {
    expectGood(ProgramExaminations.sharedFiles(() -> 1L << 30), "1,024 MiB");
    expectNote(ProgramExaminations.sharedFiles(() -> 64L << 20), "64 MiB", "--shm-size=1g");
    expectNote(
        ProgramExaminations.sharedFiles(
            () -> {
              throw new IOException("none");
            }),
        "missing",
        "mount a tmpfs");
  }

  @Test
  void thePriorityThatTheDeviceMayTakeIsReported() {
    expectGood(ProgramExaminations.precedence(() -> ThreadPriority.Kind.REAL_TIME), "SCHED_RR");
    expectNote(
        ProgramExaminations.precedence(() -> ThreadPriority.Kind.NICE), "nice value", "rtprio");
    expectNote(
        ProgramExaminations.precedence(() -> ThreadPriority.Kind.NOT_AT_ALL),
        "neither",
        "SYS_NICE");
  }
}
