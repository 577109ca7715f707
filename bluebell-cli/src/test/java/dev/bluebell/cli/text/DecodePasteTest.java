package dev.bluebell.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pasted text is decoded and explained. */
class DecodePasteTest {
  private static final String KERNEL_LOG =
      """
      [166755.332323] infiniband mlx5_0: dump_cqe:272:(pid 0): dump error cqe
      [166755.332944] 00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
      [166755.333574] 00000010: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
      [166755.334202] 00000020: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
      [166755.334837] 00000030: 00 00 00 00 00 00 88 13 08 03 61 b3 1e a1 42 d3
      """;

  private static final String KERNEL_END = "0000000000008813080361b31ea142d3";

  private static final String UCX_LINE =
      "[host:1:0:1] ib_mlx5_log.c:177  Local protection error on mlx5_0:1/IB"
          + " (synd 0x4 vend 0x51 hw_synd 0/81)\n";

  @TempDir private Path directory;

  private Cli decode(String text, String... options) throws IOException {
    Path file = Files.writeString(directory.resolve("paste"), text);
    String[] arguments = new String[options.length + 3];
    arguments[0] = "decode";
    arguments[1] = "--file";
    arguments[2] = file.toString();
    System.arraycopy(options, 0, arguments, 3, options.length);
    return Cli.run(arguments);
  }

  @Test
  void whatATerminalWouldInterpretIsNotPrintedAsItIs() {
    Cli decoded =
        Cli.run("decode", "[1.2] x: RC QP 0x1b wqe[3]: RDMA_READ s-- [rva \033[31m\007 rkey 0x1]");
    assertThat(decoded.out() + decoded.err()).contains("\\u0007").doesNotContain("\033", "\007");
    Cli encoded = Cli.run("encode", "packet {\n  \033[31m\007\u009bred a=1\n}\n");
    assertThat(encoded.err()).contains("no header is called '\\u001b[31m\\u0007\\u009bred'");
  }

  @Test
  void aFailureIsExplained() throws IOException {
    Cli cli = decode(KERNEL_LOG);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .contains("syndrome=REMOTE_ACCESS_ERR", "send_opcode=RDMA_WRITE", "qpn=0x0361b3")
        .contains("# REMOTE_ACCESS_ERR (0x13): The responder refused the access to its memory.")
        .contains("# vendor code 0x88: seen when the responder answered with the NAK")
        .contains(
            "#    1. the rkey is from an earlier registration",
            "(docs/failures/wrong-rkey.md)",
            "#    3. ")
        .contains("# What to check next: Compare raddr, rkey and length")
        .contains("# More: docs/failures/README.md#remote_access_err")
        .doesNotContain("guess:");
    assertThat(cli.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void aCommandThatTheFirmwareRefusedIsExplained() throws IOException {
    String now =
        "[  812.5] mlx5_core 0000:08:00.0: mlx5_cmd_out_err:807:(pid 1234): CREATE_QP(0x500)"
            + " op_mod(0x0) failed, status limits exceeded(0x8), syndrome (0x8b0a75), err(-22)\n";
    Cli cli = decode(now);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out().replaceAll("\n# ", " "))
        .contains("# line 1, from the kernel's log: the firmware refused CREATE_QP (0x500) with")
        .contains(
            "status LIM_ERR (0x08): A limit of the device is exceeded: compare with QUERY_HCA_CAP."
                + " The caller got errno 22.")
        .contains("syndrome 0x8b0a75: ");
    assertThat(cli.out().lines()).allMatch(line -> line.startsWith("# ") && line.length() <= 100);

    String before =
        "mlx5_core 0000:04:00.0: mlx5_cmd_check:795:(pid 9993): RTR2RTS_QP(0x504) op_mod(0x0)"
            + " failed, status bad parameter(0x3), syndrome (0x4bb88f)\n";
    JsonNode line = decode(before + "something else\n", "--json").json().getFirst();
    assertThat(line.get("kind").asText()).isEqualTo("COMMAND_REFUSED");
    assertThat(line.get("opcode").asText()).isEqualTo("RTR2RTS_QP");
    assertThat(line.get("status").asText()).isEqualTo("BAD_PARAM");
    assertThat(line.get("syndrome").asText()).isEqualTo("0x4bb88f");
    assertThat(line.get("errno").asInt()).as("the line has no errno").isZero();

    assertThat(decode(now.replace("0x8)", "0x77)")).out())
        .contains("status 0x77 (0x77): No public header names this status.");
    assertThat(decode(now.replace("op_mod(0x0)", "op_mod(0x12345)")).exitCode())
        .as("no such line")
        .isNotZero();
  }

  @Test
  void anExplainedFailureCanBeEncodedAgain() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), decode(KERNEL_LOG + UCX_LINE).out());
    Cli encoded = Cli.run("encode", "--file", text.toString());
    assertThat(encoded.exitCode()).as(encoded.err()).isZero();
    assertThat(encoded.out().strip())
        .isEqualTo("00".repeat(48) + "0000000000008813080361b31ea142d3");
  }

  @Test
  void fieldsAreInTheJson() throws IOException {
    JsonNode line = decode(KERNEL_LOG, "--json").json().getFirst();
    assertThat(line.get("kind").asText()).isEqualTo("CQE");
    assertThat(line.get("form").asText()).isEqualTo("the kernel's dump of a completion");
    assertThat(line.get("guessed").asBoolean()).isFalse();
    assertThat(line.get("line").asInt()).isEqualTo(2);
    JsonNode fields = line.get("fields").get(0);
    assertThat(fields.get("syndrome").asText()).isEqualTo("REMOTE_ACCESS_ERR");
    assertThat(fields.get("wqe_counter").asText()).isEqualTo("7841");
    JsonNode failure = line.get("failure");
    assertThat(failure.get("syndrome").asInt()).isEqualTo(0x13);
    assertThat(failure.get("vendor_code").asInt()).isEqualTo(0x88);
    assertThat(failure.get("vendor_code_known").asBoolean()).isTrue();
    assertThat(failure.get("causes")).hasSize(3);
    assertThat(failure.get("causes").get(0).get("page").asText())
        .isEqualTo("docs/failures/wrong-rkey.md");
    assertThat(failure.get("next").asText()).isNotBlank();
    assertThat(failure.get("page").asText()).isEqualTo("docs/failures/README.md#remote_access_err");
  }

  @Test
  void segmentsOfAWqeAreInTheJson() throws IOException {
    JsonNode line =
        decode(
                "000000080a1b01030000000800000000000012345678"
                    + "9abc00c0ffee000000000000004000a0b00000007f1122330000",
                "--json")
            .json()
            .getFirst();
    assertThat(line.get("guessed").asBoolean()).isTrue();
    List<String> segments =
        line.get("fields").valueStream().map(field -> field.get("segment").asText()).toList();
    assertThat(segments).containsExactly("ctrl", "raddr", "data");
    assertThat(line.get("fields").get(1).get("rkey").asText()).isEqualTo("0x00c0ffee");
  }

  @Test
  void anUnknownVendorCodeIsReportedAsUnknown() throws IOException {
    assertThat(decode(KERNEL_LOG.replace("88 13", "77 13")).out())
        .contains("# vendor code 0x77: nothing is publicly known about it with this syndrome");
    assertThat(decode(KERNEL_LOG.replace("88 13", "88 99"), "--cqe").out())
        .contains("# syndrome (0x99): No public header names this syndrome.");
  }

  @Test
  void wordsInTheOtherOrderAreRecognized() throws IOException {
    Cli cli =
        decode(
            """
            00000000: 00000000 00000000 00000000 00000000
            00000010: 00000000 00000000 00000000 00000000
            00000020: 00000000 00000000 00000000 00000000
            00000030: 00000000 13880000 b3610308 d342a11e
            """);
    assertThat(cli.out())
        .contains(
            "syndrome=REMOTE_ACCESS_ERR",
            "# guess: the bytes of each group",
            "# guess: this is a cqe");
  }

  @Test
  void aRingOfCompletionsIsSplit() throws IOException {
    String cqe = "00".repeat(48) + "0000000000008813080361b31ea142d3";
    Cli cli = decode(cqe.repeat(3));
    assertThat(cli.out().lines().filter(line -> line.equals("cqe {"))).hasSize(3);
  }

  @Test
  void aLineWithoutBytesIsExplained() throws IOException {
    Cli cli = decode(UCX_LINE);
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains(
            "# line 1, from UCX:", "# LOCAL_PROT_ERR (0x04): A local key", "vendor code 0x51");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          client: wr_id 1 status transport retry counter exceeded vendor 0x81 | 0x15 | 0x81
          Completion with error: IBV_WC_RETRY_EXC_ERR                         | 0x15 |
          status IBV_WC_LOC_PROT_ERR, vendor_err: 81, qp 0x40                 | 0x04 | 0x51
          wc 3: Work Request Flushed Error                                    | 0x05 |
          poll failed: memory management operation error (vendor err 120)     | 0x06 | 0x78
          rnr retry counter exceeded [vendor=0x87]                            | 0x16 | 0x87
          nvme nvme4: RECV for CQE 0x51 failed with status WR flushed (5)     | 0x05 |
          queue: memory bind operation error (6)                              | 0x06 |
          completion has IB_WC_REM_OP_ERR                                     | 0x14 |
          rpcrdma: Send: transport retry counter exceeded (12/0x81)           | 0x15 | 0x81
          to: 4 error polling LP CQ with status RETRY EXCEEDED ERROR status number 12 for wr_id 21c opcode 0  vendor error 129 qp_idx 0 | 0x15 | 0x81
          status number 1 for wr_id 525 opcode 1  vendor error 105 qp_idx 3   | 0x01 | 0x69
          Unexpected CQE error syndrome 0x04 CQN = 91 SQN = 1201 wqe_counter = 3 wq_ci = 4 cq_ci = 0 | 0x04 |
          non-zero status: 4 ibv_poll_cq failed, status: 4                    | 0x04 |
          """)
  void statusesOfLibibverbsAreRecognizedByNameAndByText(String line, String syndrome, String vendor)
      throws IOException {
    Cli cli = decode(line + "\n", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    JsonNode failure = cli.json().getFirst().get("failure");
    assertThat(failure.get("syndrome").asInt()).isEqualTo(Integer.decode(syndrome));
    assertThat(failure.has("vendor_code")).isEqualTo(vendor != null);
    if (vendor != null) {
      assertThat(failure.get("vendor_code").asInt()).isEqualTo(Integer.decode(vendor));
    }
  }

  @Test
  void aTextWithNothingKnownLeadsToTheListOfFailures() throws IOException {
    for (String text :
        List.of("RDMA_CM_EVENT_ESTABLISHED", "rnr_nak_retry_err 9", "IBV_WC_SUCCESS")) {
      Cli cli = decode(text);
      assertThat(cli.exitCode()).isEqualTo(1);
      assertThat(cli.err())
          .isEqualTo(
              "bluebell: this has neither bytes (line 1 is '%s') nor an".formatted(text)
                  + " error line that decode knows; docs/failures/README.md lists failures by"
                  + " status and by symptom\n");
    }
  }

  @Test
  void causesOutsideTheApplicationComeFirst() throws IOException {
    assertThat(causes("IBV_WC_RETRY_EXC_ERR"))
        .startsWith("packets do not arrive")
        .contains("rails", "port events", "process ended", "wrong-psn.md");
    assertThat(causes("IBV_WC_LOC_PROT_ERR")).startsWith("if the memory is a GPU's");
    assertThat(causes("IBV_WC_REM_OP_ERR"))
        .startsWith("a READ, WRITE or atomic: the rkey is valid")
        .contains("a SEND or WRITE with immediate: the responder's receive");
  }

  /** The causes of a status, after the number of the first. */
  private String causes(String status) throws IOException {
    return decode(status).out().replaceAll("\\s+# +", " ").replaceFirst("(?s).*?causes: 1. ", "");
  }

  @Test
  void vendorCodesAreSaidToBeThoseOfMlx5UnlessOnlyItPrintsTheLine() throws IOException {
    String other = "This meaning of the vendor code applies only";
    assertThat(decode("status=4(local protection error) vendor_err=0x51 qp_num=0x2e").out())
        .contains("vendor code 0x51: ")
        .contains(other);
    assertThat(decode(UCX_LINE).out()).doesNotContain(other);
    assertThat(decode(KERNEL_LOG).out()).doesNotContain(other);
  }

  @Test
  void anEventIsExplainedBesideTheFailuresThatItCauses() throws IOException {
    String log =
        """
        rdma.c:2:process: *NOTICE*: Async event: port error
        rdma.c:3:poll: *WARNING*: CQ error on CQ 0x61, Request 0x13 (12): transport retry counter exceeded
        """;
    Cli cli = decode(log);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .contains("# line 1, from a log of asynchronous events: IBV_EVENT_PORT_ERR: ")
        .contains("# TRANSPORT_RETRY_EXC_ERR (0x15): ")
        .contains("# What to check next: Check cable")
        .contains("# More: docs/card-failures.md#peers-that-do-not-answer")
        .doesNotContain("left out");
    assertThat(cli.out().lines()).allMatch(line -> line.length() <= 100);
    JsonNode notice = decode(log, "--json").json().getFirst();
    assertThat(notice.get("kind").asText()).isEqualTo("NOTICE");
    assertThat(notice.get("line").asInt()).isEqualTo(1);
    assertThat(notice.get("page").asText()).startsWith("docs/card-failures.md#");
  }

  @Test
  void theRequestThatUcxNamesIsShownWithItsFailure() throws IOException {
    String log =
        """
        [host:1:0:1] ib_mlx5_log.c:143  Remote access on mlx5_0:1/IB (synd 0x13 vend 0x88 hw_synd 0/0)
        [host:1:0:1] ib_mlx5_log.c:143  RC QP 0x263a8 wqe[817]: RDMA_WRITE s-- [rva 0x11bc9f090 rkey 0x129c7] [va 0x7fb2948b8e00 len 4096 lkey 0x86c0]
        """;
    Cli cli = decode(log);
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).contains("# REMOTE_ACCESS_ERR (0x13)").doesNotContain("left out");
    assertThat(cli.out().replaceAll("\\s+# ?", " "))
        .contains(
            "line 2, from UCX: WQE 817 of QP 0x263a8 (RC), RDMA_WRITE (signaled): remote address"
                + " 0x11bc9f090, rkey 0x129c7; local address 0x7fb2948b8e00, length 4096, lkey"
                + " 0x86c0");

    assertThat(decode("DCI QP 0xa3 wqe[9]: SEND -fe [sl=2]").out())
        .contains("SEND (fenced, solicited): service level 2");

    JsonNode request = decode(log, "--json").json().getLast();
    assertThat(request.get("kind").asText()).isEqualTo("REQUEST");
    assertThat(request.get("qpn").asInt()).isEqualTo(0x263a8);
    assertThat(request.get("wqe").asInt()).isEqualTo(817);
    assertThat(request.get("parts").get(0).asText())
        .isEqualTo("remote address 0x11bc9f090, rkey 0x129c7");
  }

  @Test
  void aReportThatRepeatsADumpIsNotExplainedTwice() throws IOException {
    Cli cli =
        decode(
            "[1.0] infiniband mlx5_0: mlx5_handle_error_cqe:333:(pid 0): WC error: 10, Message: x\n"
                + KERNEL_LOG);
    assertThat(cli.out().split("Likeliest causes", -1)).hasSize(2);
  }

  private static String joined(Cli cli) {
    return cli.out().replaceAll("\\n# +", " ");
  }

  @Test
  void eachVendorCodeOfAStatusIsExplainedOnceWithTheNumbersOfTheOtherLines() throws IOException {
    String log =
        """
        a: local protection error vendor_err 0x51
        b: local protection error
        c: local protection error vendor_err 0x56
        d: local protection error vendor_err 0x51
        e: IBV_WC_RNR_RETRY_EXC_ERR
        f: IBV_WC_RNR_RETRY_EXC_ERR vendor_err 135
        """;
    Cli cli = decode(log);
    assertThat(cli.out().split("Likeliest causes", -1)).hasSize(4);
    assertThat(joined(cli))
        .contains("line 1, from", "The same in 2 more lines: lines 2, 4", "line 3, from")
        .contains("line 6, from", "The same in 1 more line: line 5")
        .contains("The first failure in this text is LOCAL_PROT_ERR, in line 1.")
        .doesNotContain("WR_FLUSH_ERR");
    assertThat(decode(log, "--json").json()).as("every line is in the JSON").hasSize(6);
  }

  @Test
  void aFloodOfOneFailureIsAFewLines() throws IOException {
    String line =
        "Got completion from peer 10.9.8.7<1> with status=12 len=0 vendor err 129 (Recv)\n";
    assertThat(joined(decode(line.repeat(700))))
        .contains("The same in 699 more lines: lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 689 more");
    Cli dumps = decode(KERNEL_LOG.repeat(50));
    assertThat(dumps.out().split("cqe \\{", -1)).hasSize(2);
    assertThat(joined(dumps)).contains("The same in 49 more lines: lines 7, 12,");
    String refused =
        "mlx5_cmd_check:795:(pid 7): RTR2RTS_QP(0x504) op_mod(0x0) failed,"
            + " status bad parameter(0x3), syndrome (0x123456)\n";
    assertThat(joined(decode(refused.repeat(3)))).contains("The same in 2 more lines: lines 2, 3");
  }

  @Test
  void anotherCompletionWithTheSameFailureIsShownWithoutItsCauses() throws IOException {
    Cli cli = decode(KERNEL_LOG + "\n" + KERNEL_LOG.replace("61 b3", "61 b4"));
    assertThat(cli.out().split("Likeliest causes", -1)).hasSize(2);
    assertThat(cli.out())
        .contains("# line 2:", "qpn=0x0361b3", "# line 8:", "qpn=0x0361b4")
        .contains("# REMOTE_ACCESS_ERR: explained at line 2");
  }

  @Test
  void failuresAreInTheOrderOfTheTextAndTheFirstOneIsNamed() throws IOException {
    String log = "x: Work Request Flushed Error\n" + UCX_LINE + KERNEL_LOG;
    Cli cli = decode(log);
    assertThat(cli.out())
        .containsSubsequence("# line 1, from", "# line 2, from UCX", "# line 4:", "cqe {");
    assertThat(joined(cli))
        .contains(
            "The first failure in this text is LOCAL_PROT_ERR, in line 2. Flushed requests"
                + " (WR_FLUSH_ERR) are consequences of another failure.");
  }

  @Test
  void requestsOfUcxAreBesideTheirFailure() throws IOException {
    String first = UCX_LINE + "[host:1:0:1] ib_mlx5_log.c:177  RC QP 0x71 wqe[3]: SEND\n";
    Cli cli = decode(first + first.replace("0x71", "0x72") + KERNEL_LOG);
    assertThat(cli.out())
        .containsSubsequence(
            "# line 1, from UCX:",
            "# line 2, from UCX: WQE 3 of QP 0x71",
            "# line 4, from UCX: WQE 3 of QP 0x72",
            "# The same in 1 more line: line 3",
            "# line 6:");
  }

  @Test
  void theLastRowOfACompletionIsEnough() throws IOException {
    for (String rows :
        List.of(
            "00000000 00008914 0a00c0de 01f4b5d2",
            "0x7f00: 0x00000000 0x14890000 0xdec0000a 0xd2b5f401",
            "00".repeat(16) + KERNEL_END)) {
      Cli cli = decode(rows);
      assertThat(cli.exitCode()).as(cli.err()).isZero();
      assertThat(joined(cli)).contains("syndrome=REMOTE_", "the missing ones are shown as 0");
    }
  }

  @Test
  void theKernelsWqeDumpIsOneOfRawEthernet() throws IOException {
    String log =
        """
        mlx5_core 0000:09:00.0 eth3: Error cqe on cqn 0x40a, ci 0x3, qn 0x71, opcode 0xd, syndrome 0x2, vendor syndrome 0x68
        00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00000010: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00000020: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00000030: 00 00 00 00 51 10 68 02 0a 00 00 71 00 07 3c d2
        WQE DUMP: WQ size 512 WQ cur size 0, WQE index 0x7, len: 64
        00000000: 00 00 07 0a 00 00 71 03 00 00 00 08 00 00 00 00
        00000010: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00000020: 00 00 00 40 00 12 34 56 00 00 00 07 12 34 50 00
        00000030: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        """;
    for (String option : List.of("--wqe=RAW", "--cqe", "--recv")) {
      assertThat(decode(log, option).out())
          .as("an option for the dumps does not override what the text says about one")
          .contains("eth inline_hdr_sz=0", "cqe {", "syndrome=LOCAL_QP_OP_ERR")
          .doesNotContain("data byte_count=0 ");
    }
  }

  @Test
  void aHeadlineWithoutBytesIsAFailureOfTheCommand() throws IOException {
    Cli cli = decode("mlx5: node3: got completion with error:\nno bytes\n");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("line 1: this line announces the bytes of a completion");
    assertThat(decode("mlx5: node3: got completion with error:\n" + UCX_LINE).exitCode()).isZero();
  }

  @Test
  void bytesThatMayBeAnythingAreNotGuessed() throws IOException {
    for (String text :
        List.of(
            "read:\n"
                + "0x00200310 0x00000040\n"
                + "0x00200314 0x00000009\n"
                + "0x00200318 0x00000021\n"
                + "0x0020031c 0x00000000\n",
            "skb linear: 00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 5e 00\n")) {
      Cli cli = decode(text);
      assertThat(cli.exitCode()).as(text).isEqualTo(1);
      assertThat(cli.err()).contains("may be anything");
    }
  }

  @Test
  void aCompressedFileAndAWideTextAreRecognized() throws IOException {
    Path zipped =
        Files.write(directory.resolve("log.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0});
    assertThat(Cli.run("decode", zipped.toString()).err()).contains("gzip: unpack it first");
    Path wide = Files.write(directory.resolve("wide"), UCX_LINE.getBytes(StandardCharsets.UTF_16));
    assertThat(Cli.run("decode", wide.toString()).out()).contains("LOCAL_PROT_ERR");
  }

  @Test
  void oneOfSeveralFilesThatCannotBeDecodedIsNamedAndTheOthersAreDecoded() throws IOException {
    Path words = Files.writeString(directory.resolve("words"), "zzzz\n");
    Path empty = Files.createFile(directory.resolve("empty"));
    Path log = Files.writeString(directory.resolve("log"), UCX_LINE);
    Cli cli = Cli.run("decode", words.toString(), empty.toString(), log.toString());
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out()).contains("LOCAL_PROT_ERR");
    assertThat(cli.err().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("bluebell: %s: this has neither".formatted(words)),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "bluebell: %s: there is nothing to translate in this file"
                            .formatted(empty)));
    assertThat(Cli.run("decode", empty.toString()).exitCode()).isEqualTo(1);
  }

  @Test
  void bytesOfNoKnownFormatAreRefusedWithTheLinesLeftOut() throws IOException {
    Cli cli = decode("00000000: ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 01\nhello\n");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("no known format matches 17 bytes", "not understood: line 2");
  }

  @Test
  void aLineThatLooksLikeBytesDoesNotHideTheRestOfTheLog() throws IOException {
    String zeros = "00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n";
    String log = KERNEL_LOG + "[166755.4] oops\n[166755.5] PKRU: 55555554\n\n" + zeros;
    Cli cli = decode(log);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out().replaceAll("\n# +", " "))
        .contains(" REMOTE_ACCESS_ERR (0x13): ")
        .contains(" line 9: 16 bytes of zeros: nothing shows what this is")
        .contains("not understood: lines 6, 7");

    JsonNode unknown = decode(log, "--json").json().get(1);
    assertThat(unknown.get("kind").asText()).isEqualTo("UNKNOWN");
    assertThat(unknown.get("line").asInt()).isEqualTo(9);
    assertThat(unknown.get("hex").asText()).isEqualTo("00".repeat(16));

    assertThat(decode("PKRU: 55555554\n\n" + UCX_LINE).exitCode())
        .as("a line without bytes is explained, too")
        .isZero();
  }

  @Test
  void bytesThatAreAllZeroAreNotGuessed() throws IOException {
    String zeros = "00".repeat(64);
    Cli cli = decode(zeros);
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("64 bytes of zeros: nothing shows what this is");
    assertThat(decode(zeros, "--output").out()).contains("status=OK");
  }

  @Test
  void aDumpThatIsTooShortForWhatTheLogSaysIsRefused() throws IOException {
    Cli cli = decode("mlx5: cn10: got completion with error:\n00000000 00000000\n\n");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("line 2: a completion queue entry has 64 or 128 bytes, not 8");
  }
}
