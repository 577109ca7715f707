package dev.bluebell.cli.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bluebell.cli.Cli;
import dev.bluebell.cli.perf.CliProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** encode reads the output of decode. */
class DecodeEncodeTest {
  private static final Path VECTORS = Path.of("../bluebell-hca/src/test/resources/vectors");
  private static final String WQE =
      "000000080a1b010300000008000000000000123456789abc00c0ffee00000000"
          + "0000004000a0b00000007f1122330000";

  @TempDir private Path directory;

  @Test
  void aWriteIsReadable() {
    Cli cli = Cli.run("decode", WQE);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .contains(
            "opcode=RDMA_WRITE",
            "raddr address=0x0000123456789abc rkey=0x00c0ffee",
            "data byte_count=64 lkey=0x00a0b000");
  }

  @Test
  void spacesColonsAndPrefixesDoNotMatter() {
    String spaced = WQE.replaceAll("(.{8})", "0x$1 ");
    assertThat(Cli.run("decode", spaced).out()).isEqualTo(Cli.run("decode", WQE).out());
  }

  @ParameterizedTest
  @CsvSource({"rc_core, wqebbs, bytes, --wqe", "rq_recv, wqes, bytes, --recv"})
  void entriesOfGoldenVectorsSurviveBothWays(String group, String list, String member, String kind)
      throws IOException {
    JsonNode root = new ObjectMapper().readTree(VECTORS.resolve(group + ".json").toFile());
    List<String> entries =
        root.get("vectors")
            .valueStream()
            .limit(60)
            .map(vector -> vector.get(list).get(0).get(member).asText())
            .toList();
    Path hex = Files.writeString(directory.resolve("hex"), String.join("\n\n", entries));
    Cli decoded = Cli.run("decode", kind, "--file", hex.toString(), "--json");
    assertThat(decoded.exitCode()).as(decoded.err()).isZero();
    List<String> texts = decoded.json().stream().map(line -> line.get("text").asText()).toList();
    Path text = Files.writeString(directory.resolve("text"), String.join("\n", texts));
    Cli encoded = Cli.run("encode", "--file", text.toString());
    assertThat(encoded.exitCode()).as(encoded.err()).isZero();
    assertThat(encoded.out().lines()).containsExactlyElementsOf(entries);
  }

  @Test
  void completionsSurviveBothWays() throws IOException {
    JsonNode root = new ObjectMapper().readTree(VECTORS.resolve("cqe_errors.json").toFile());
    String cqe = root.get("vectors").get(0).get("cq_before").get(0).asText();
    Cli decoded = Cli.run("decode", "--cqe", cqe);
    assertThat(decoded.out()).contains("opcode=RESP_ERR");
    Path text = Files.writeString(directory.resolve("text"), decoded.out());
    assertThat(Cli.run("encode", "--file", text.toString()).out().strip()).isEqualTo(cqe);
  }

  @Test
  void commandsSurviveBothWays() {
    Cli encoded = Cli.run("encode", "input RST2INIT_QP {; qpn=0x00000c; }");
    assertThat(encoded.exitCode()).as(encoded.err()).isZero();
    Cli decoded = Cli.run("decode", encoded.out().strip());
    assertThat(decoded.out()).startsWith("input RST2INIT_QP").contains("qpn=0x00000c");
  }

  @Test
  void theCommandOfAnOutputNamesItsFields() {
    String output = "00000000" + "00000000" + "000000c1" + "00000000";
    assertThat(Cli.run("decode", "--output", "CREATE_QP", output).out()).contains("qpn=0x0000c1");
    assertThat(Cli.run("decode", "--output=NO_SUCH", output).exitCode()).isEqualTo(2);
    assertThat(Cli.run("decode", "--output", "NO_SUCH", output).exitCode()).isEqualTo(2);
    Cli unnamed = Cli.run("decode", "--output", output);
    assertThat(unnamed.out()).as(unnamed.err()).contains("status=OK");
  }

  @Test
  void thePipeOfASubstitutedCommandIsAFile() throws IOException, InterruptedException {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Thread.ofPlatform().daemon().start(() -> writeTo(pipe));
    Cli decoded = Cli.run("decode", pipe.toString());
    assertThat(decoded.out()).as(decoded.err()).contains("this is a wqe");
  }

  private static void writeTo(Path pipe) {
    try {
      Files.writeString(pipe, WQE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void jsonHasTheGuessedKind() {
    JsonNode line = Cli.run("decode", "--json", WQE).json().getFirst();
    assertThat(line.get("kind").asText()).isEqualTo("WQE");
    assertThat(line.get("bytes").asInt()).isEqualTo(48);
  }

  @Test
  void theGuessOfAnOutputHasTheRightArticle() {
    assertThat(Cli.run("decode", "0300000000aabbcc0000000000000000").out())
        .contains("# guess: this is an output");
  }

  @Test
  void bytesOfNoKnownFormatAreRefused() {
    Cli cli = Cli.run("decode", "ffffffffffffffffffffffffffffffffff");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("no known format matches 17 bytes");
  }

  @Test
  void anErrorInATextIsReportedWithItsLine() {
    Cli cli = Cli.run("encode", "wqe {; ctrl opcode=BOGUS; }");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("bluebell: line 2: ");
  }

  @Test
  void twoEntriesInTwoArgumentsAreDecodedSeparately() {
    Cli two = Cli.run("decode", WQE, WQE);
    assertThat(two.exitCode()).as(two.err()).isZero();
    assertThat(two.out().lines().filter(line -> line.equals("wqe {"))).hasSize(2);
    String[] groups = WQE.replaceAll("(.{8})(?!$)", "$1 ").split(" ");
    String[] words = new String[groups.length + 1];
    words[0] = "decode";
    System.arraycopy(groups, 0, words, 1, groups.length);
    assertThat(Cli.run(words).out()).isEqualTo(Cli.run("decode", WQE).out());
    assertThat(
            Cli.run("encode", "wqe {; ctrl opcode=NOP; }", "wqe {; ctrl opcode=NOP; }")
                .out()
                .lines())
        .hasSize(2);
  }

  @Test
  void theOptionWqeTakesAnOptionalServiceType() {
    assertThat(Cli.run("decode", "--wqe", WQE).out()).contains("opcode=RDMA_WRITE");
    assertThat(Cli.run("decode", "--wqe", "rc", WQE).out()).contains("opcode=RDMA_WRITE");
    assertThat(Cli.run("decode", WQE, "--wqe").out()).contains("opcode=RDMA_WRITE");
    Cli typo = Cli.run("decode", "--wqe=XY", WQE);
    assertThat(typo.exitCode()).isEqualTo(2);
    assertThat(typo.err()).contains("XY").contains("RC");
  }

  @Test
  void anUnknownFieldOrCommandIsRefusedWithTheKnownNames() {
    assertThat(Cli.run("encode", "wqe {; raddr adress=1; }").err())
        .contains("line 2: no field is called 'adress' here; the fields are address, rkey");
    assertThat(Cli.run("encode", "input CREATE_QQ {; }").err())
        .contains("no command is called 'CREATE_QQ'; the commands are ", "CREATE_QP, ", " others");
    assertThat(Cli.run("encode", "--help").out()).contains("raddr address=0x1000", "list offset=");
  }

  @Test
  void theOnlyArgumentMayNameAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("decade.log"), WQE);
    Cli decoded = Cli.run("decode", file.toString());
    assertThat(decoded.exitCode()).isZero();
    assertThat(decoded.out()).isEqualTo(Cli.run("decode", WQE).out());
  }

  @Test
  void theOnlyArgumentNeedNotBeAValidPath() throws IOException {
    String text = WQE + "\0";
    Path file = Files.writeString(directory.resolve("text"), text);
    assertThat(Cli.run("decode", text).err())
        .startsWith(Cli.run("decode", "--file", file.toString()).err());
  }

  @Test
  void aByteThatIsNotUtf8DoesNotMatter() throws IOException {
    byte[] text = ("caf\u00e9\n\n" + WQE).getBytes(ISO_8859_1);
    Path log = Files.write(directory.resolve("log"), text);
    Cli cli = Cli.run("decode", "--file", log.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("opcode=RDMA_WRITE");
  }

  @Test
  @Tag("slow")
  void aPipeIsReadFromItsFirstByte() throws IOException, InterruptedException {
    Process decode =
        CliProcess.builder(List.of("decode", "--wqe", "--file", "/dev/stdin"))
            .redirectErrorStream(true)
            .start();
    try (OutputStream in = decode.getOutputStream()) {
      in.write(WQE.getBytes(US_ASCII));
    }
    String out = new String(decode.getInputStream().readAllBytes(), UTF_8);
    assertThat(decode.waitFor()).as(out).isZero();
    assertThat(out).isEqualTo(Cli.run("decode", "--wqe", WQE).out());
  }

  @Test
  void aTextMayBeginWithManyComments() throws IOException {
    String comments = "# a comment\n".repeat(5000);
    Path text =
        Files.writeString(
            directory.resolve("text"), comments + "wqe {\n  ctrl opcode=NOP qpn=0x40\n}\n");
    Cli cli = Cli.run("encode", "--file", text.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).isEqualTo(Cli.run("encode", "wqe {; ctrl opcode=NOP qpn=0x40; }").out());
  }

  @Test
  void commentsAloneAreNothingToTranslate() {
    Cli cli = Cli.run("encode", "# one\n\n  # two\n");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("bluebell: there is nothing to translate: ");
  }

  @Test
  void aTextThatIsNoDumpIsWrongUsageAndAFileOfItIsNot() throws IOException {
    assertThat(Cli.run("decode", "zzzz").exitCode()).isEqualTo(2);
    Path file = Files.writeString(directory.resolve("words"), "zzzz\n");
    assertThat(Cli.run("decode", "--file", file.toString()).exitCode()).isEqualTo(1);
    assertThat(Cli.run("decode", file.toString()).exitCode()).isEqualTo(1);
    assertThat(Cli.run("encode", "--file", file.toString()).exitCode()).isEqualTo(1);
  }

  @Test
  void aMissingFileAndAFolderAreNamedAsWhatTheyAre() throws IOException {
    String missing = directory.resolve("missing.txt").toString();
    String dump = Files.writeString(directory.resolve("dump"), WQE).toString();
    for (String command : List.of("decode", "encode")) {
      Cli none = Cli.run(command, missing);
      assertThat(none.exitCode()).isEqualTo(1);
      assertThat(none.err()).isEqualTo("bluebell: there is no file %s\n".formatted(missing));
      assertThat(Cli.run(command, dump, missing).err()).isEqualTo(none.err());
      assertThat(Cli.run(command, "--file", missing).err())
          .isEqualTo("bluebell: %s: there is no such file or folder\n".formatted(missing));
      String folder = "bluebell: %s is a folder: name a file\n".formatted(directory);
      assertThat(Cli.run(command, directory.toString()).err()).isEqualTo(folder);
      assertThat(Cli.run(command, "--file", directory.toString()).err()).isEqualTo(folder);
    }
  }

  @Test
  void textsOfSeveralFilesAreEncoded() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "wqe {\n  ctrl opcode=NOP\n}\n");
    assertThat(Cli.run("encode", text.toString(), text.toString()).out().lines()).hasSize(2);
  }

  @Test
  void argumentsAndAFileExcludeEachOther() {
    assertThat(Cli.run("decode", "--file", "x", "00").exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--wqe", "--recv", "--recv-signed", "--srq"})
  void aPartOfASegmentIsNoEntry(String kind) {
    Cli cli = Cli.run("decode", kind, "000102");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("a work queue entry has at least 16 bytes, not 3\n");
  }
}
