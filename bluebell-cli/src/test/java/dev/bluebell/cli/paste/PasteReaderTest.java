package dev.bluebell.cli.paste;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.cli.paste.PasteReader.Paste;
import dev.bluebell.hca.text.Decoder.Kind;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dumps in the formats of the tools that print them, as in published logs. */
class PasteReaderTest {
  /** A public report of a patch to {@code mlx5_ib}: remote access error of an RDMA WRITE. */
  private static final String REMOTE_ACCESS = "00".repeat(48) + "0000000000008813080361b31ea142d3";

  private static Dump only(String text) {
    Paste paste = PasteReader.read(text);
    assertThat(paste.pieces()).hasSize(1);
    return (Dump) paste.pieces().getFirst();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  @Timeout(20)
  void aLineOfManyFieldsIsReadInTimeThatGrowsWithItsLength() {
    String line = "00000000: " + "01 02  ".repeat(200_000);
    assertThat(PasteReader.read(line).pieces()).hasSize(1);
  }

  @Test
  void theKernelsDumpBelowItsHeadlineIsACompletion() {
    Dump dump =
        only(
            """
            [166755.330649] infiniband mlx5_0: mlx5_handle_error_cqe:333:(pid 0): something else
            [166755.332323] infiniband mlx5_0: dump_cqe:272:(pid 0): dump error cqe
            [166755.332944] 00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            [166755.333574] 00000010: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            [166755.334202] 00000020: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            [166755.334837] 00000030: 00 00 00 00 00 00 88 13 08 03 61 b3 1e a1 42 d3
            """);
    assertThat(hex(dump.bytes())).isEqualTo(REMOTE_ACCESS);
    assertThat(dump.headline().kind()).isEqualTo(Kind.CQE);
    assertThat(dump.guesses()).isEmpty();
    assertThat(dump.line()).isEqualTo(3);
  }

  @Test
  void prefixesOfLoggersAndMailsAreTakenOff() {
    String rows =
        """
        00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00000010: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00000020: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00000030: 00 00 00 00 00 00 88 13 08 03 61 b3 1e a1 42 d3
        """;
    for (String prefix :
        List.of(
            "cqe_dump: ",
            "> [  408.380192] ",
            "<4>[166755.334837] cqe_dump: ",
            "Jan  5 12:34:56 host7 kernel: [166755.334837] ",
            "2024-01-05T12:34:56.123456+09:00 host7 kernel: cqe_dump: ",
            "[Fri Jan  5 12:34:56 2024] ")) {
      assertThat(hex(only(rows.indent(0).replaceAll("(?m)^(?=0)", prefix)).bytes()))
          .as(prefix)
          .isEqualTo(REMOTE_ACCESS);
    }
    assertThat(hex(only(rows.replace("\n", "=0A=\n")).bytes())).isEqualTo(REMOTE_ACCESS);
  }

  @Test
  void aRowMayHoldSeveralCompletions() {
    String end = "00 00 00 00 00 00 87 16 0a 00 1f %02x 00 00 27 d2 ";
    StringBuilder text = new StringBuilder("mlx5: cn10: got completion with error:\n");
    for (int i = 0; i < 3; i++) {
      text.append("00 ".repeat(48)).append(end.formatted(i));
    }
    List<Piece> pieces = PasteReader.read(text.toString().strip()).pieces();
    assertThat(pieces).hasSize(3);
    for (int i = 0; i < 3; i++) {
      Dump dump = (Dump) pieces.get(i);
      assertThat(dump.line()).isEqualTo(2);
      assertThat(hex(dump.bytes())).isEqualTo("00".repeat(48) + end.formatted(i).replace(" ", ""));
    }
  }

  private static String dump(int rows) {
    return IntStream.range(0, rows)
        .mapToObj(row -> "%08x:".formatted(row << 12) + " 00".repeat(1 << 12) + "\n")
        .collect(Collectors.joining());
  }

  @Test
  @Tag("slow")
  void aTextMayHaveAnyNumberOfDumpsUnlessOneIsTooLong() {
    String dump = dump(16);
    assertThat(PasteReader.read(dump.repeat(40)).pieces()).hasSize(40);

    String tooLong = dump((DumpBuilder.MAX_BYTES >> 12) * 2 + 2);
    assertThat(PasteReader.read(tooLong + dump.repeat(2)).pieces())
        .hasSize(3)
        .first()
        .isEqualTo(new Unread(1, "this dump has more than 1048576 bytes"));
  }

  @Test
  void libmlx5sDumpHasNoAddresses() {
    Dump dump =
        only(
            """
            mlx5: cn10: got completion with error:
            00000000 00000000 00000000 00000000
            00000000 00000000 00000000 00000000
            00000002 00000000 00000000 00000000
            00000000 00008813 10012abe 0dd0c1d3
            libfabric:ofi_rxm:cq:rxm_cq_read_write_error():819<warn> fi_cq_readerr: err: 5
            """);
    assertThat(hex(dump.bytes()))
        .isEqualTo("00".repeat(32) + "00000002" + "00".repeat(16) + "0000881310012abe0dd0c1d3");
    assertThat(dump.headline().kind()).isEqualTo(Kind.CQE);
  }

  @Test
  void twoCompletionsInARowAreReadAsTwo() {
    String dump =
        """
        mlx5: cn10: got completion with error:
        00000000 00000000 00000000 00000000
        00000000 00000000 00000000 00000000
        00000000 00000000 00000000 00000000
        00000000 00008716 0a001f8e 000027d2
        """;
    assertThat(PasteReader.read(dump + dump).pieces()).hasSize(2);
  }

  @Test
  void aNetworkDriversDumpHasCharactersBehindABar() {
    Dump dump =
        only(
            """
            MLX5 Error CQE: at [0x7f6a7d20c000], len=64
            00000000: 00 73 65 65 6E 00 00 00 00 00 00 00 00 00 00 00 | .seen...........
            00000010: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 | ................
            00000020: 00 00 00 13 00 00 00 00 00 00 00 00 00 00 00 00 | ................
            00000030: 00 00 00 00 9D 00 53 04 0A 00 15 42 00 19 B0 D2 | ......S....B....
            """);
    assertThat(hex(dump.bytes())).startsWith("007365656e00").endsWith("9d0053040a0015420019b0d2");
    assertThat(dump.headline().kind()).isEqualTo(Kind.CQE);
  }

  @Test
  void xxdHasAddressesAndCharacters() {
    Dump dump =
        only(
            """
            00000000: 0000 0008 0a1b 0103 0000 0008 0000 0000  ................
            00000010: 0000 1234 5678 9abc 00c0 ffee 0000 0000  ...4Vx..........
            00000020: 6162 6364 6566 6162 6364 6566 6162 6364  abcdefabcdefabcd
            00000030: 6162 63                                  abc
            """);
    assertThat(hex(dump.bytes()))
        .isEqualTo(
            "000000080a1b01030000000800000000000012345678-9abc00c0ffee00000000".replace("-", "")
                + "61626364656661626364656661626364"
                + "616263");
    assertThat(dump.otherOrder()).isNull();
  }

  @Test
  void charactersDetermineTheOrderOfBytesInAGroup() {
    Dump dump = only("00000000: 64636261 68676665 00000000 00000000  abcdefgh........");
    assertThat(hex(dump.bytes())).isEqualTo("61626364656667680000000000000000");
    assertThat(dump.guesses()).isEmpty();
  }

  @Test
  void hexdumpRepeatsRowsByAStar() {
    Dump dump =
        only(
            """
            00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
            *
            00000030  00 00 00 00 00 00 88 13  08 03 61 b3 1e a1 42 d3  |..........a...B.|
            00000040
            """);
    assertThat(hex(dump.bytes())).isEqualTo(REMOTE_ACCESS);
  }

  @Test
  void aStarBehindAPrefixRepeatsToo() {
    Dump dump =
        only(
            """
            [1.1] 00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
            [1.2] *
            [1.3] 00000030  00 00 00 00 00 00 88 13  08 03 61 b3 1e a1 42 d3  |..........a...B.|
            """);
    assertThat(hex(dump.bytes())).isEqualTo(REMOTE_ACCESS);
  }

  @Test
  void aLineThatEndsWithAStarIsNoRepetition() {
    List<Piece> pieces =
        PasteReader.read(
                """
                00000000: 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f
                the mask is *
                00000010: 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f
                """)
            .pieces();
    assertThat(pieces)
        .singleElement()
        .isInstanceOfSatisfying(
            Dump.class, dump -> assertThat(hex(dump.bytes())).hasSize(64).endsWith("1e1f"));
  }

  @Test
  void aStarAtTheEndRepeatsUpToTheEnd() {
    Dump dump =
        only(
            """
            00000000  0f 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
            *
            00000040
            """);
    assertThat(hex(dump.bytes())).isEqualTo("0f000000000000000000000000000000".repeat(4));
  }

  @Test
  void odCountsInOctalAndPrintsWordsOfTheHost() {
    Dump words =
        only(
            """
            0000000 00000000 00000000 00000000 00000000
            *
            0000060 00000000 13880000 b3610308 d342a11e
            0000100
            """);
    assertThat(hex(words.bytes())).isEqualTo(REMOTE_ACCESS);
    assertThat(words.guesses())
        .containsExactly(
            "groups of 8 digits are read as integers of a little-endian host, as od or hexdump"
                + " prints them");
    Dump octal =
        only(
            """
            0000000 000000 000000 000000 000000 000000 000000 000000 000000
            *
            0000060 000000 000000 000000 011610 001410 131541 120436 151502
            0000100
            """);
    assertThat(hex(octal.bytes())).isEqualTo(REMOTE_ACCESS);
    Dump bytes =
        only(
            """
            000000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  >................<
            *
            000030 00 00 00 00 00 00 88 13 08 03 61 b3 1e a1 42 d3  >..........a...B.<
            000040
            """);
    assertThat(hex(bytes.bytes())).isEqualTo(REMOTE_ACCESS);
    assertThat(bytes.guesses()).isEmpty();
  }

  @Test
  void aDebuggersWordsAreIntegersOfTheHost() {
    Dump dump =
        only(
            """
            0x7ffff7fbd000:\t0x00000000\t0x00000000\t0x00000000\t0x00000000
            0x7ffff7fbd010 <ring+16>:\t0x00000000\t0x13880000\t0xb3610308\t0xd342a11e
            """);
    assertThat(hex(dump.bytes())).endsWith("000088130" + "80361b31ea142d3");
    assertThat(dump.guesses()).hasSize(1);
    assertThat(hex(dump.otherOrder())).endsWith("13880000b3610308d342a11e");
  }

  @Test
  void anAddressColumnAsWideAsTheDataIsAGuess() {
    Dump dump =
        only(
            """
            00000000 00000000 00000000 00000000 00000000
            00000010 00000000 00008813 080361b3 1ea142d3
            """);
    assertThat(dump.bytes()).hasSize(32);
    assertThat(dump.guesses())
        .containsExactly("the first column counts the bytes, so it is read as addresses");
  }

  @Test
  void otherLinesOfALogMayComeBetween() {
    Paste paste =
        PasteReader.read(
            """
            [1.1] 00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            [1.2] nvme nvme15: starting error recovery
            [1.3] 00000010: 00 00 00 00 00 00 88 13 08 03 61 b3 1e a1 42 d3
            """);
    assertThat(((Dump) paste.pieces().getFirst()).bytes()).hasSize(32);
    assertThat(paste.leftOut().stream()).containsExactly(2);
  }

  private static String reason(String text) {
    return PasteReader.read(text).pieces().getLast() instanceof Unread unread
        ? "%d: %s".formatted(unread.line(), unread.reason())
        : "";
  }

  @Test
  void aMissingLineIsNoticed() {
    assertThat(
            reason(
                """
                00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
                00000020: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
                """))
        .startsWith("1: the address 00000020 in line 2 does not follow");
  }

  @Test
  void aStarNeedsAddresses() {
    String rows = "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n*\n";
    assertThat(reason(rows)).contains("without addresses, the number of rows");
    assertThat(reason("00000000  00 00\n*\n")).contains("without the address of the end");
  }

  @Test
  void repetitionsAreBounded() {
    assertThat(reason("00000000  00 00\n*\nfffffff0  00 00\n"))
        .contains("the rows that a '*' stands for have more than");
  }

  private static final List<String> ROWS =
      List.of(
          "00000000 00000000 00000000 00000000",
          "00000000 00000000 00000000 00000000",
          "00000007 00000000 00000000 00000000",
          "00000000 00008914 0a00c0de 01f4b5d2");

  private static final String ROWS_BYTES =
      "00".repeat(32) + "00000007" + "00".repeat(12) + "00000000000089140a00c0de01f4b5d2";

  private static final String ANNOUNCED = "mlx5: node3: got completion with error:";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "09:15:33 ",
        "2031-02-03 09:15:33,456 INFO ",
        "2031-02-03T09:15:33.123456789Z ",
        "2031-02-03T09:15:33.123456789Z stderr F ",
        "Feb  3 09:15:33 node3 job[77]: ",
        "[2,41]<stdout>:",
        "7: ",
        "113: ",
        "[rank7]: ",
        "(Worker pid=77, ip=10.9.8.7) ",
        "worker_2  | ",
        "+",
        "&gt; ",
        "\u001b[31m",
        "\u00a0\u00a0",
        "{\"message\":\""
      })
  void noPrefixHidesADumpOrEatsAGroupOfIt(String prefix) {
    for (String suffix : List.of("", "<br/>", "\u001b[0m", "\\n\",\"stream\":\"stderr\"}")) {
      String text =
          Stream.concat(Stream.of(ANNOUNCED), ROWS.stream())
              .map(line -> prefix + line + suffix + "\n")
              .collect(Collectors.joining());
      assertThat(hex(only(text).bytes())).as(prefix + suffix).isEqualTo(ROWS_BYTES);
    }
  }

  @Test
  void aPrefixEatsNoGroupOfALongRow() {
    String row = "2031-02-03T09:15:33.123456789Z 00000001 00000002 00000003 00000004 00000005\n";
    assertThat(only(row.repeat(4)).bytes()).hasSize(80);
  }

  @Test
  void rowsOnOneLineAreRead() {
    assertThat(hex(only(ANNOUNCED + " " + String.join(" ", ROWS)).bytes())).isEqualTo(ROWS_BYTES);
    assertThat(hex(only(ANNOUNCED + "\\n" + String.join("\\n", ROWS) + "\\n").bytes()))
        .isEqualTo(ROWS_BYTES);
  }

  @Test
  void blankLinesBelowAHeadlineDoNotSplitItsRows() {
    Dump dump = only(ANNOUNCED + "\n\n" + String.join("\n\n", ROWS) + "\n\n");
    assertThat(hex(dump.bytes())).isEqualTo(ROWS_BYTES);
  }

  @Test
  void blankLinesBetweenTheRowsOfACompletionDoNotSplitIt() {
    Dump dump = only(String.join("\n\n", ROWS));
    assertThat(hex(dump.bytes())).isEqualTo(ROWS_BYTES);
    assertThat(dump.guesses()).hasSize(1);
    assertThat(PasteReader.read(String.join("\n\n", ROWS.subList(1, 4))).pieces()).hasSize(3);
    assertThat(PasteReader.read(String.join("\n\n\n", ROWS)).pieces()).hasSize(4);
  }

  @Test
  void aStackTraceAnnouncesNoBytes() {
    assertThat(PasteReader.read(" ? dump_cqe+0x2b/0x50 [mlx5_ib]\nlocal access error\n").pieces())
        .hasSize(1);
  }

  @Test
  void rowsThatAMailWrappedAreWhole() {
    assertThat(
            hex(
                only("""
                > cqe_dump: 00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00
                >                     00 00 00
                > cqe_dump: 00000010: 00 00 00 00 00 00 88 13 08 03 61 b3 1e
                >                     a1 42 d3
                """)
                    .bytes()))
        .hasSize(64)
        .endsWith("0000000000008813080361b31ea142d3");
  }

  @Test
  void aHeadlineWithoutBytesIsReported() {
    assertThat(reason(ANNOUNCED + "\nno bytes here\n"))
        .startsWith("1: this line announces the bytes of a completion");
    String far = ANNOUNCED + "\n" + "other\n".repeat(70) + String.join("\n", ROWS);
    assertThat(PasteReader.read(far).pieces()).hasSize(2);
  }

  @Test
  void aBrokenDumpDoesNotHideTheRest() {
    String broken =
        """
        00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00000020: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        """;
    List<Piece> pieces =
        PasteReader.read(broken + "\npoll: remote operation error vendor err 0x89\n" + broken)
            .pieces();
    assertThat(pieces).hasSize(3);
    assertThat(pieces.get(1)).isEqualTo(new Report(4, "an application", 0x14, 0x89));
  }

  @Test
  void completionsWhoseRowsAreMixedAreReadFromTheirLastRows() {
    String other = "00000000 00008914 0a00c0df 01f5b5d2";
    List<Piece> pieces =
        PasteReader.read(
                String.join(
                    "\n",
                    ANNOUNCED,
                    ANNOUNCED,
                    ROWS.get(0),
                    ROWS.get(0),
                    ROWS.get(1),
                    ROWS.get(1),
                    ROWS.get(2),
                    ROWS.get(3),
                    ROWS.get(2),
                    other))
            .pieces();
    assertThat(pieces).hasSize(2);
    assertThat(hex(((Dump) pieces.get(0)).bytes())).isEqualTo("00000000000089140a00c0de01f4b5d2");
    assertThat(hex(((Dump) pieces.get(1)).bytes())).isEqualTo("00000000000089140a00c0df01f5b5d2");
    assertThat(((Dump) pieces.get(1)).guesses()).hasSize(1);

    String two = String.join("\n", ROWS);
    assertThat(PasteReader.read(ANNOUNCED + "\n" + ANNOUNCED + "\n" + two + "\n" + two).pieces())
        .as("the rows of one process after those of the other")
        .hasSize(2)
        .allMatch(piece -> hex(((Dump) piece).bytes()).equals(ROWS_BYTES));
  }

  @Test
  void addressedRowsThatAreMixedAreReadFromTheirLastRows() {
    String zeros = ": 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n";
    StringBuilder text = new StringBuilder("dump error cqe\ndump error cqe\n");
    for (String address : List.of("00000000", "00000010", "00000020")) {
      text.append(address).append(zeros).append(address).append(zeros);
    }
    text.append("00000030: 00 00 00 00 00 00 89 14 0a 00 c0 de 01 f4 b5 d2\n");
    text.append("00000030: 00 00 00 00 00 00 89 14 0a 00 c0 df 01 f4 b5 d2\n");
    assertThat(PasteReader.read(text.toString()).pieces())
        .hasSize(2)
        .allMatch(piece -> hex(((Dump) piece).bytes()).startsWith("00000000000089140a00c0d"));
  }

  @Test
  void rowsWithAByteTooManyLeaveTheLastRow() {
    String wide = ": 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n";
    Dump dump =
        only(
            "dump error cqe\n00000000"
                + wide
                + "00000010"
                + wide
                + "00000020"
                + wide
                + "00000030: 00 00 00 00 00 00 89 14 0a 00 c0 de 01 f4 b5 d2\n");
    assertThat(dump.line()).isEqualTo(5);
    assertThat(dump.bytes()).hasSize(16);
  }

  @Test
  void aLogLineBehindARowDoesNotHideIt() {
    String text =
        ANNOUNCED + "\n" + String.join("\n", ROWS) + "[17.4] [node3:9] local access error";
    assertThat(hex(((Dump) PasteReader.read(text).pieces().get(0)).bytes())).isEqualTo(ROWS_BYTES);
    assertThat(PasteReader.read(text).pieces().get(1))
        .isEqualTo(new Report(5, "an application", 0x11, Report.NO_VENDOR_CODE));
  }

  @Test
  void aFewDigitsAmongOtherTextAreNoDump() {
    assertThat(PasteReader.read("retries: 12345678\n22 33\npoll: local access error\n"))
        .isEqualTo(
            new Paste(
                List.of(new Report(3, "an application", 0x11, Report.NO_VENDOR_CODE)),
                BitSet.valueOf(new long[] {0b110})));
  }

  @Test
  void aWrappedLineIsJoined() {
    assertThat(
            PasteReader.read(
                    """
                    > NET/IB : Got completion from peer 10.9.8.7<4711> with
                    > error 13, opcode 0,
                    > len 0, vendor err 135
                    mlx5_cmd_check:769:(pid 7): CREATE_MKEY(0x2=
                    00) op_mod(0x0) failed, status bad parameter(0x3), syndrome (0x123456)
                    mlx5_cmd_check:769:(pid 7): CREATE_MKEY(0x200)=
                     op_mod(0x0) failed, status bad parameter(0x3), syndrome (0x123457)
                    <p>&gt; Failed status 12: wr_id 0</p>
                    <p>&gt; syndrom 0x81</p>
                    """)
                .pieces())
        .containsExactly(
            new Report(1, "NCCL", 0x16, 0x87),
            new CommandRefusal(4, 0x200, 0, 3, 0x123456, 0),
            new CommandRefusal(6, 0x200, 0, 3, 0x123457, 0),
            new Report(8, "perftest", 0x15, 0x81));
  }

  @Test
  void aStatusThatIsOnlyMentionedIsNoFailure() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                PasteReader.read(
                    """
                    abort requests after transport retry counter exceeded
                    if (wc[i].status == IBV_WC_RNR_RETRY_EXC_ERR) retry();
                    case IBV_WC_LOC_LEN_ERR:
                    hook for IBV_WC_WR_FLUSH_ERR installed
                    there is no remote access error any more
                    """));
  }

  @Test
  void vendorCodesAreReadInTheBaseOfTheirPrinter() {
    assertThat(
            PasteReader.read(
                    """
                    iser: command failure: remote access error (10) vend_err 88
                    isert: recv failure: local protection error (4) vend_err 5a
                    ib1: failed send event (status=12, wrid=7 vend_err 81)
                    ib1: failed send event (status=12, wrid=7 vend_err 0x81)
                    rds: had status 10 vendor_err 0x88, reconnecting
                    app: remote access error vendor_err 136
                    [qpn 0x71 wrid 0x9vendor_err 0x51] local protection error [wrid 0x9vendor_err 0x51]
                    error on qp 0x71: remote invalid request error syndrome 0x8a
                    """)
                .pieces())
        .extracting(piece -> ((Report) piece).vendorCode())
        .containsExactly(0x88, 0x5a, 0x81, 0x81, 0x88, 0x88, 0x51, 0x8a);
  }

  @Test
  void spdksStatusNumberIsEnough() {
    assertThat(
            PasteReader.read(
                    """
                    Error on CQ 0x7f00, request 0x9 type DATA, status: (13): RNR retry coun
                    CQ error on Queue Pair 0x7f00, Response Index 7 (11): remote oper
                    WC error, qid 1, qp state 4, request 0x2a type 1, status: (12): transp
                    """)
                .pieces())
        .containsExactly(
            new Report(1, "SPDK", 0x16, Report.NO_VENDOR_CODE),
            new Report(2, "SPDK", 0x14, Report.NO_VENDOR_CODE),
            new Report(3, "SPDK", 0x15, Report.NO_VENDOR_CODE));
  }

  @Test
  void wordsOfOtherProgramsAreNoReports() {
    assertThat(Report.in(1, "make: exit status: (1)")).isEmpty();
    assertThat(Report.in(1, "Request 17 (4) took 3 ms")).isEmpty();
    assertThat(Report.in(1, "GET /: status 502: Bad response error")).isEmpty();
    assertThat(Report.in(1, "the transaction ended: aborted error")).isEmpty();
  }

  @Test
  void commonTextsOfStatusesAreReportsAmongWordsOfRdma() {
    assertThat(
            PasteReader.read(
                    """
                    Work completion failed: aborted error
                    ibv_poll_cq: bad response error
                    status: 7 (bad response error)
                    got aborted error, vendor_err 0x33
                    """)
                .pieces())
        .containsExactly(
            new Report(1, "an application", 0x22, Report.NO_VENDOR_CODE),
            new Report(2, "an application", 0x10, Report.NO_VENDOR_CODE),
            new Report(3, "an application", 0x10, Report.NO_VENDOR_CODE),
            new Report(4, "an application", 0x22, 0x33));
  }

  @Test
  void reportsWithoutBytesAreRead() {
    assertThat(
            PasteReader.read(
                    """
                    [host:1:0:1] ib_mlx5_log.c:177  Local protection error on mlx5_0:1/IB (synd 0x4 vend 0x32 hw_synd 0/146)
                    node7:3468:3905 [4] ib_plugin.c:1615 NCCL WARN NET/IB : Got completion from peer 10.0.0.1<54862> with status=12 opcode=0 len=0 vendor err 129 (Recv)
                    NCCL WARN NET/IB : Got completion with error 4, opcode 1, len 21938, vendor err 81
                     Failed status 12: wr_id 0 syndrom 0x81
                    number 0 got bad completion with status: 0xc, vendor syndrome: 0x81
                    Failed status RNR retry counter exceeded (13) for wr_id 2
                    mlx5_core 0000:01:00.0 eth2: Error cqe on cqn 0x414, ci 0x0, qn 0x1084, opcode 0xd, syndrome 0x2, vendor syndrome 0x68
                    """)
                .pieces())
        .containsExactly(
            new Report(1, "UCX", 0x04, 0x32),
            new Report(2, "NCCL", 0x15, 0x81),
            new Report(3, "NCCL", 0x04, 0x51),
            new Report(4, "perftest", 0x15, 0x81),
            new Report(5, "an application", 0x15, 0x81),
            new Report(6, "an application", 0x16, Report.NO_VENDOR_CODE),
            new Report(7, "a network driver of Linux", 0x02, 0x68));
  }

  @Test
  void failedRequestsOfUcxAreRead() {
    assertThat(
            PasteReader.read(
                    """
                    [  INFO ] < RC QP 0x938 wqe[1]: RDMA_WRITE --- [rva 0x0 rkey 0x0] [rqpn 0x937 rlid 2 dgid fe80::1c34:da03:5b:b25d] >
                    RC QP 0x4711 wqe[7]: SEND s-e [inline len 8] [rqpn 0x48 dlid=0 sl=0 dgid=::ffff:10.0.0.1]
                    DCI QP 0x18162 wqe[41]: NOP
                    """)
                .pieces())
        .containsExactly(
            new FailedRequest(
                1,
                "RC",
                0x938,
                1,
                "RDMA_WRITE",
                List.of(),
                List.of(
                    "remote address 0x0, rkey 0x0",
                    "remote QP 0x937, remote LID 2, remote GID fe80::1c34:da03:5b:b25d")),
            new FailedRequest(
                2,
                "RC",
                0x4711,
                7,
                "SEND",
                List.of("signaled", "solicited"),
                List.of(
                    "inline, length 8",
                    "remote QP 0x48, remote LID 0, service level 0, remote GID ::ffff:10.0.0.1")),
            new FailedRequest(3, "DCI", 0x18162, 41, "NOP", List.of(), List.of()));
  }

  @Test
  void proseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PasteReader.read("dear all, my card has failed\nwhat shall I do?"))
        .withMessageContaining("line 1 is 'dear all, my card has failed'");
  }
}
