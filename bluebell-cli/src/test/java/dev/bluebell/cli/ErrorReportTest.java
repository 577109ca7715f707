package dev.bluebell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.command.CommandLines;
import dev.bluebell.cli.command.ErrorReport;
import dev.bluebell.cli.command.SizeConverter;
import dev.bluebell.cli.perf.CliProcess;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** An error is reported in one sentence, and the exit code tells wrong usage from failed work. */
class ErrorReportTest {
  private static final String LOST_OUTPUT =
      "bluebell: the output can't be written: the disk is full, or the process that reads it has"
          + " ended\n";

  @TempDir private Path folder;

  @Test
  void aMissingCommandIsWrongUsage() {
    Cli cli = Cli.run();
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .startsWith("bluebell: a command is missing\n\nUsage: bluebell ")
        .contains("  demo  ", "  run  ", "  decode  ", "2   wrong usage");
    assertThat(Cli.run("program").err())
        .startsWith("bluebell: a command is missing\n\n")
        .contains("Usage: bluebell program ", "  verify  ");
  }

  @Test
  void anUnknownOptionIsWrongUsage() {
    Cli cli = Cli.run("devinfo", "--nonsense");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("bluebell: there is no option '--nonsense'\n");
  }

  @Test
  void workThatFailsHasOneSentenceAndNoStackTrace() {
    Cli cli = Cli.run("devinfo", "--device", "socket:/no/such/socket");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err().lines())
        .singleElement()
        .asString()
        .startsWith("bluebell: no device process listens at the socket /no/such/socket");
  }

  @Test
  void verbosePrintsTheStackTrace() {
    Cli cli = Cli.run("devinfo", "--device", "nope", "--verbose");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("java.lang.IllegalArgumentException", "\tat dev.bluebell.");
  }

  @Test
  void mutuallyExclusiveOptionsAreWrongUsage() {
    Cli cli = Cli.run("decode", "--wqe", "--cqe", "00");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("bluebell: --wqe, --cqe are mutually exclusive");
  }

  @Test
  void helpIsACommandToo() {
    Cli cli = Cli.run("help");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).isEqualTo(Cli.run("--help").out());
    assertThat(Cli.run("help", "perf").out()).isEqualTo(Cli.run("perf", "--help").out());
  }

  @Test
  void aMistypedCommandIsWrongUsageWithASuggestion() {
    Cli cli = Cli.run("decod", "--help");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .isEqualTo(
            """
            bluebell: there is no command 'decod'; did you mean 'decode'?
            Try 'bluebell --help' for more information.
            """);
    assertThat(Cli.run("perf", "write", "--sise", "4").err())
        .startsWith("bluebell: there is no option '--sise'; did you mean '--size'?\n");
  }

  @Test
  void wordsUnlikeAnyNameGetNoSuggestion() {
    assertThat(Cli.run("foo").err()).startsWith("bluebell: there is no command 'foo'\n");
    assertThat(Cli.run("devinfo", "--frobnicate").err())
        .startsWith("bluebell: there is no option '--frobnicate'\n");
    assertThat(Cli.run("devinfo", "twice").err())
        .startsWith("bluebell: unexpected argument 'twice'\n");
  }

  @Test
  void sizesMayHaveUnits() {
    SizeConverter sizes = new SizeConverter();
    assertThat(sizes.convert("17")).isEqualTo(17);
    assertThat(sizes.convert("64k")).isEqualTo(65536);
    assertThat(sizes.convert("1M")).isEqualTo(1 << 20);
    assertThat(sizes.convert("1g")).isEqualTo(1 << 30);
    for (String none : List.of("", "k", "-1", "1t", "2g", "9999999999g", "1.5k")) {
      assertThat(Cli.run("perf", "write", "--size", none).exitCode()).as(none).isEqualTo(2);
    }
  }

  @Test
  void outputThatCanNotBeWrittenIsAFailure() {
    StringWriter err = new StringWriter();
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("No space left on device");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(full)).setErr(new PrintWriter(err));
    assertThat(CommandLines.run(command, "devinfo", "--engine", "poll")).isEqualTo(1);
    assertThat(err).hasToString(LOST_OUTPUT);
  }

  @Test
  void aProcessWhoseOutputCanNotBeWrittenFails() throws IOException, InterruptedException {
    Process encode =
        CliProcess.builder(List.of("encode", "wqe {; ctrl opcode=NOP qpn=0x40; }"))
            .redirectOutput(new File("/dev/full"))
            .start();
    String err = new String(encode.getErrorStream().readAllBytes(), UTF_8);
    assertThat(encode.waitFor()).as(err).isEqualTo(1);
    assertThat(err).isEqualTo(LOST_OUTPUT);
  }

  @Test
  @Tag("slow")
  void aProcessWhoseReaderEndsFirstEndsQuietly() throws IOException, InterruptedException {
    Process decode = printer().start();
    assertThat(decode.inputReader().readLine()).isNotEmpty();
    decode.getInputStream().close();
    assertThat(decode.errorReader().lines()).isEmpty();
    assertThat(decode.waitFor()).isZero();
  }

  @Test
  @Tag("slow")
  void aProcessWhoseReaderOfANamedPipeEndsFirstEndsQuietly() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    ProcessBuilder printer = printer().redirectOutput(pipe.toFile());
    // Each end waits for the other one to open the pipe.
    FutureTask<Process> start = new FutureTask<>(printer::start);
    Thread.ofPlatform().start(start);
    try (BufferedReader reader = Files.newBufferedReader(pipe)) {
      assertThat(reader.readLine()).isNotEmpty();
    }
    Process decode = start.get();
    assertThat(decode.errorReader().lines()).isEmpty();
    assertThat(decode.waitFor()).isZero();
  }

  /** A command that prints more than a pipe holds, so it still prints when its reader has ended. */
  private ProcessBuilder printer() throws IOException {
    Path dump = folder.resolve("dump");
    Files.writeString(dump, "00000000000040010000000000000000\n\n".repeat(4000));
    return CliProcess.builder(List.of("decode", "--wqe", "--file", dump.toString()));
  }

  @Test
  void aLackOfMemoryIsASentenceWithTheOption() {
    StringWriter err = new StringWriter();
    CommandLine command = Main.commandLine().setErr(new PrintWriter(err));
    OutOfMemoryError direct =
        new OutOfMemoryError("Cannot reserve 9 bytes of direct buffer memory");
    assertThat(ErrorReport.outOfMemory(direct, command)).isEqualTo(1);
    ErrorReport.outOfMemory(new OutOfMemoryError("Java heap space"), command);
    assertThat(err.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("9 bytes", "-XX:MaxDirectMemorySize="),
            line -> assertThat(line).contains("Java heap space", "-Xmx"));
  }

  @Test
  void anErrorIsNeverAPathAlone() {
    assertThat(told(new NoSuchFileException("/x")))
        .isEqualTo("/x: there is no such file or folder");
    assertThat(told(new AccessDeniedException("/x"))).isEqualTo("/x: permission denied");
    assertThat(told(new FileAlreadyExistsException("/x"))).isEqualTo("/x: it already exists");
    assertThat(told(new NotDirectoryException("/x"))).isEqualTo("/x: it is not a folder");
    assertThat(told(new FileSystemException("/x", null, "No space left on device")))
        .isEqualTo("/x: No space left on device");
    assertThat(told(new FileSystemLoopException("/x"))).isEqualTo("/x: FileSystemLoopException");
    assertThat(told(new UncheckedIOException(new NoSuchFileException("/x"))))
        .isEqualTo("/x: there is no such file or folder");
    assertThat(told(new IOException("as it is"))).isEqualTo("as it is");
  }

  @Test
  void aFolderThatDoesNotExistIsTheReasonInEveryCommand() {
    List<List<String>> commands =
        List.of(
            List.of("serve", "--socket", "/no/such/x"),
            List.of("trace", "--output", "/no/such/x"),
            List.of("devinfo", "--device", "soft:pcap=/no/such/x"));
    for (List<String> command : commands) {
      Cli cli = Cli.run(command.toArray(String[]::new));
      assertThat(cli.err())
          .as("%s", command)
          .contains("/no/such/x", "its folder does not exist; ", "name another ")
          .doesNotContain("Exception", "errno", "--help");
      assertThat(cli.exitCode()).as("%s", command).isEqualTo(1);
    }
  }

  @Test
  void aFullDiskIsTheReasonInEveryCommand() {
    List<List<String>> commands =
        List.of(
            List.of("trace", "--output", "/dev/full"),
            List.of("devinfo", "--device", "soft:pcap=/dev/full"));
    for (List<String> command : commands) {
      Cli cli = Cli.run(command.toArray(String[]::new));
      assertThat(cli.err())
          .as("%s", command)
          .contains("/dev/full", ": No space left on device; name another ")
          .doesNotContain("folder", "Exception");
      assertThat(cli.exitCode()).as("%s", command).isEqualTo(1);
    }
  }

  @Test
  void aSocketThatDoesNotExistIsDescribedInWords() {
    assertThat(Cli.run("devinfo", "--device", "socket:/no/such/socket").err())
        .contains("(connect failed: No such file or directory)");
  }

  @Test
  void anAddressThatCanNotBeBoundIsNoWrongUsage() {
    Cli cli = Cli.run("devinfo", "--device", "soft:listen=192.0.2.1");
    assertThat(cli.err())
        .startsWith("bluebell: listen=192.0.2.1 of device soft: UDP port 4791 can't be bound")
        .doesNotContain("--help");
    assertThat(cli.exitCode()).isEqualTo(1);
  }

  private static String told(Exception failure) {
    StringWriter err = new StringWriter();
    CommandLine command = Main.commandLine().setErr(new PrintWriter(err));
    assertThat(ErrorReport.failure(failure, command, command.parseArgs("devinfo"))).isEqualTo(1);
    return err.toString().replaceFirst("^bluebell: ", "").stripTrailing();
  }

  @Test
  void helpListsEveryCommand() {
    Cli cli = Cli.run("--help");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("demo", "devinfo", "perf", "program", "decode", "encode", "doctor");
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    Cli cli = Cli.run("--version");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).containsPattern("bluebell \\d+\\.\\d+\\.\\d+").doesNotContain("${");
  }
}
