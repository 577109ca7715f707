package dev.bluebell.cli.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.cli.perf.CliProcess;
import dev.bluebell.hca.command.QpTimers;
import dev.bluebell.roce.packet.Aeth;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets and capture files are decoded, and packets encoded again. */
class DecodeCaptureTest {
  private static final Path CAPTURES = Path.of("../bluebell-roce/src/test/resources/pcaps");
  private static final Path TSHARK = Path.of("/usr/bin/tshark");

  private static final String PACKET =
      "4500004400004000401126a50a0000010a000002c12312b7003000000a30ffff0000001180000064"
          + "00007f0012345678000012340000000568656c6c6f00000093544b0a";

  @TempDir private Path directory;

  private static String capture(String name) {
    return CAPTURES.resolve(name + ".pcap").toString();
  }

  @Test
  void aPacketIsRecognizedWithOrWithoutItsEthernetHeader() {
    for (String hex : List.of(PACKET, "5254000000025254000000010800" + PACKET)) {
      Cli cli = Cli.run("decode", hex);
      assertThat(cli.exitCode()).as(cli.err()).isZero();
      assertThat(cli.out())
          .contains(
              "bth opcode=RC_WRITE_ONLY",
              "reth va=0x00007f0012345678 rkey=0x00001234 dmalen=5",
              "# 10.0.0.1 > 10.0.0.2 RC_WRITE_ONLY QP 0x11 PSN 0x000064 ack_req",
              "# ICRC good");
      Cli encoded = Cli.run("encode", cli.out());
      assertThat(encoded.exitCode()).as(encoded.err()).isZero();
      assertThat(encoded.out().strip()).isEqualTo(hex);
    }
  }

  @Test
  void aWrongIcrcIsReportedWithTheRightOne() {
    String wrong = PACKET.replace("93544b0a", "93544b0b");
    assertThat(Cli.run("decode", wrong).out().replaceAll("\n# +", " "))
        .contains("ICRC wrong: it is 93544b0b and must be 93544b0a")
        .doesNotContain("ICRC good");
    JsonNode json = Cli.run("decode", "--json", wrong).json().getFirst();
    assertThat(json.get("kind").asText()).isEqualTo("PACKET");
    assertThat(json.get("icrc").asText()).isEqualTo("wrong");
    assertThat(json.get("notes")).hasSize(1);
  }

  @Test
  void theOptionPacketDecodesEvenMalformedPackets() {
    assertThat(Cli.run("decode", "--packet", PACKET.replace("12b7", "12b8")).out())
        .contains("packet {", "not a RoCE packet");
    assertThat(Cli.run("decode", "--packet", PACKET.replace("0a30ffff", "dff0ffff")).out())
        .contains("opcode=0xdf", "its opcode is reserved");
  }

  @Test
  void runsThatTheKernelHadNotCutAreCut() {
    Path run = CAPTURES.resolveSibling("runs/write_v4.pcap");
    Cli cli = Cli.run("decode", run.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .doesNotContain("wrong")
        .contains("2 messages", "in 16 packets, 4000 bytes");
    assertThat(cli.out().lines().filter(line -> line.endsWith(" | ICRC good"))).hasSize(17);
    assertThat(cli.err()).contains("the capture has 4 runs that the kernel had not yet cut");
  }

  @Test
  void aCaptureIsALineForEachPacketAndThenItsConversations() {
    Cli cli = Cli.run("decode", capture("rc_rnr_exhaust"));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    List<String> lines = cli.out().lines().toList();
    assertThat(lines).hasSize(10);
    assertThat(lines.get(0))
        .startsWith("   1 0.000000 10.77.0.2 > 10.77.0.1 RC_SEND_ONLY QP 0x68 PSN 0x001000 ack_req")
        .endsWith(" | ICRC good");
    assertThat(lines.get(1)).contains("RNR NAK: no receive was posted for packet 1");
    assertThat(lines.get(7)).isEqualTo("RC 10.77.0.2 QP 0x60 and 10.77.0.1 QP 0x68");
    assertThat(lines.get(8)).endsWith("2 retransmissions, 1 PSN not acknowledged");
    assertThat(lines.get(9)).endsWith(": 3 × RNR NAK (320 µs)");
    assertThat(Cli.run("decode", "--file", capture("rc_rnr_exhaust")).out()).isEqualTo(cli.out());
  }

  @Test
  void jsonHasTheTextOfEachPacketAndTheFiguresOfEachConversation() {
    Cli cli = Cli.run("decode", "--json", capture("rc_loss_resp_read"));
    List<JsonNode> lines = cli.json();
    assertThat(lines).hasSize(112);
    Cli encoded = Cli.run("encode", lines.getFirst().get("text").asText());
    assertThat(encoded.out().strip()).hasSize(2 * lines.getFirst().get("bytes").asInt());
    JsonNode conversation = lines.getLast();
    assertThat(conversation.get("kind").asText()).isEqualTo("CONVERSATION");
    assertThat(conversation.get("directions").get(0).get("duplicates").asInt()).isEqualTo(29);
    assertThat(conversation.get("directions").get(1).get("read_responses").asInt()).isEqualTo(78);
  }

  @Test
  void aFileThatIsNoCaptureDoesNotReplaceTheCopy() throws IOException {
    Path copy = Files.writeString(directory.resolve("keep.pcapng"), "precious");
    // The magic number alone.
    Path bad = Files.write(directory.resolve("bad.pcap"), new byte[] {10, 13, 13, 10, 1, 2, 3, 4});
    Cli cli = Cli.run("decode", bad.toString(), "--pcapng", copy.toString());
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(copy).hasContent("precious");
  }

  @Test
  void aCopyHasComments() throws IOException {
    Path copy = directory.resolve("copy.pcapng");
    Cli first = Cli.run("decode", capture("rc_rnr_exhaust"), "--pcapng", copy.toString());
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.err()).startsWith("bluebell: wrote the commented copy " + copy);
    // The copy contains the same packets.
    assertThat(Cli.run("decode", copy.toString()).out()).isEqualTo(first.out());
    assertThat(Files.readString(copy, StandardCharsets.ISO_8859_1))
        .contains("RNR NAK: no receive was posted for packet 1")
        .contains("retransmission of packet 1");
    Cli same = Cli.run("decode", copy.toString(), "--pcapng", copy.toString());
    assertThat(same.exitCode()).isEqualTo(2);
    assertThat(same.err()).contains("can't be written while it is read");
    Cli lost = Cli.run("decode", copy.toString(), "--pcapng", "/no/such/x.pcapng");
    assertThat(lost.exitCode()).isEqualTo(1);
    assertThat(lost.err())
        .isEqualTo(
            "bluebell: the commented copy can't be written to /no/such/x.pcapng: its folder does"
                + " not exist; name another file\n");
    Cli full = Cli.run("decode", copy.toString(), "--pcapng", "/dev/full");
    assertThat(full.exitCode()).isEqualTo(1);
    assertThat(full.err())
        .isEqualTo(
            "bluebell: the commented copy can't be written to /dev/full: No space left on device;"
                + " name another file\n");
  }

  @Test
  void tsharkShowsTheComments() throws IOException, InterruptedException {
    assumeThat(TSHARK).exists();
    Path copy = directory.resolve("copy.pcapng");
    Cli cli = Cli.run("decode", capture("rc_nak_rem_access_bounds"), "--pcapng", copy.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    Process tshark =
        new ProcessBuilder(
                TSHARK.toString(), "-r", copy.toString(), "-T", "fields", "-e", "frame.comment")
            .redirectError(directory.resolve("errors").toFile())
            .start();
    List<String> comments = tshark.inputReader().lines().toList();
    assertThat(tshark.waitFor()).isZero();
    assertThat(comments).hasSize(4);
    assertThat(comments.subList(0, 3)).containsOnly("");
    assertThat(comments.getLast())
        .startsWith(
            "NAK: remote access error of packet 1 (RC_WRITE_FIRST, PSN 0x001000): RETH va=");
  }

  @Test
  void aFileThatIsCutIsPrintedUpToThere() throws IOException {
    byte[] whole = Files.readAllBytes(Path.of(capture("rc_rnr_exhaust")));
    Path cut = Files.write(directory.resolve("cut.pcap"), Arrays.copyOf(whole, whole.length - 5));
    Cli cli = Cli.run("decode", cut.toString());
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out()).contains("   5 ", "RC 10.77.0.2 QP 0x60").doesNotContain("   6 ");
    assertThat(cli.err())
        .isEqualTo(
            ("bluebell: %s: at byte 538 of the capture file: a packet should have 62 bytes, but the"
                    + " file ends after 57\n")
                .formatted(cut));
  }

  @Test
  void aCaptureWithoutPacketsIsNamed() throws IOException {
    byte[] whole = Files.readAllBytes(Path.of(capture("rc_rnr_exhaust")));
    Path empty = Files.write(directory.resolve("empty.pcap"), Arrays.copyOf(whole, 24));
    Cli cli = Cli.run("decode", empty.toString());
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err()).isEqualTo("bluebell: %s has no packets\n".formatted(empty));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " -", " --file -", " --file /dev/stdin"})
  @Tag("slow")
  void aCaptureMayComeFromAPipe(String arguments) throws IOException, InterruptedException {
    Process decode =
        CliProcess.builder(List.of(("decode" + arguments).split(" ")))
            .redirectErrorStream(true)
            .start();
    try (OutputStream in = decode.getOutputStream()) {
      in.write(Files.readAllBytes(Path.of(capture("rc_rnr_exhaust"))));
    }
    String out = new String(decode.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(decode.waitFor()).as(out).isZero();
    assertThat(out).isEqualTo(Cli.run("decode", capture("rc_rnr_exhaust")).out());
  }

  @Test
  void severalFilesAreDecodedOneAfterTheOther() throws IOException {
    String first = capture("rc_rnr_exhaust");
    String second = Files.writeString(directory.resolve("hex.txt"), PACKET).toString();
    Cli cli = Cli.run("decode", first, second);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .isEqualTo(
            "# %s\n%s\n# %s\n%s"
                .formatted(
                    first,
                    Cli.run("decode", first).out(),
                    second,
                    Cli.run("decode", second).out()));
    List<JsonNode> json = Cli.run("decode", "--json", first, second).json();
    assertThat(json.getFirst().toString())
        .isEqualTo("{\"kind\":\"FILE\",\"file\":\"%s\"}".formatted(first));
    assertThat(json.getLast().get("kind").asText()).isEqualTo("PACKET");
    Cli copy = Cli.run("decode", first, first, "--pcapng", directory.resolve("c").toString());
    assertThat(copy.exitCode()).isEqualTo(2);
    assertThat(copy.err()).contains("--pcapng writes a copy of one capture file: name only one");
    Cli missing = Cli.run("decode", first, directory.resolve("no.pcap").toString());
    assertThat(missing.err()).contains("no.pcap: there is no such file");
  }

  @Test
  void packetsWhoseLinesAreLostAreReadOnlyToBeCopied() throws IOException {
    assertThat(withLostOutput(Optional.empty())).isEmpty();
    assertThat(withLostOutput(Optional.of(directory.resolve("copy.pcapng")))).contains("   6 ");
  }

  private static String withLostOutput(Optional<Path> copy) throws IOException {
    Path file = Path.of(capture("rc_rnr_exhaust"));
    StringWriter out = new StringWriter();
    try (InputStream in = Files.newInputStream(file)) {
      new CaptureReport(new PrintWriter(out), new PrintWriter(out), null, () -> true)
          .print(file, in, copy);
    }
    return out.toString();
  }

  @Test
  void capturesAreRecognizedAmongOtherFiles() throws IOException {
    Path text = Files.writeString(directory.resolve("hex.txt"), PACKET);
    assertThat(Cli.run("decode", "--file", text.toString()).out()).contains("RC_WRITE_ONLY");
    assertThat(Cli.run("decode", directory.resolve("no.pcap").toString()).err())
        .contains("no.pcap: there is no such file");
    Path wrong = Files.writeString(directory.resolve("wrong.pcapng"), "no capture");
    assertThat(Cli.run("decode", wrong.toString()).err()).contains("neither a pcap nor a pcapng");
    assertThat(Cli.run("decode", PACKET, "--pcapng", "x").exitCode()).isEqualTo(2);
  }

  /** Driver and packets have separate tables, because neither module depends on the other. */
  @Test
  void rnrTimersOfPacketsAreThoseOfTheCommands() {
    for (int code = 0; code < 32; code++) {
      assertThat(Aeth.rnrMicroseconds(code) * 1000L).isEqualTo(QpTimers.rnrNanos(code));
    }
  }
}
