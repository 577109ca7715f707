package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.ServiceType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WqeTextTest {
  private static final byte[] WRITE =
      Hex.parse(
          """
          00000008 0a1b0103 00000008 00000000
          00001234 56789abc 00c0ffee 00000000
          00000040 00a0b000 00007f11 22330000
          """);

  private static final String WRITE_TEXT =
      """
      wqe {
        ctrl opcode=RDMA_WRITE index=0 qpn=0x0a1b01 ds=3 ce=always
        raddr address=0x0000123456789abc rkey=0x00c0ffee
        data byte_count=64 lkey=0x00a0b000 address=0x00007f1122330000
      }
      """;

  @Test
  void anEntryIsOneLineASegment() {
    assertThat(WqeText.disassemble(WRITE)).isEqualTo(WRITE_TEXT);
    assertThat(WqeText.assemble(WRITE_TEXT)).isEqualTo(WRITE);
  }

  @Test
  void aHandWrittenEntryMayOmitCounts() {
    String text =
        """
        # a write of five bytes
        wqe {
            ctrl opcode=RDMA_WRITE   qpn=0xa1b01 ce=2   # signalled

            raddr rkey=12648430 address=0x123456789abc
            inline
            bytes 68656c6c 6f
        }
        """;
    assertThat(WqeText.disassemble(WqeText.assemble(text)))
        .isEqualTo(
            """
            wqe {
              ctrl opcode=RDMA_WRITE index=0 qpn=0x0a1b01 ds=3 ce=always
              raddr address=0x0000123456789abc rkey=0x00c0ffee
              inline length=5
              bytes 68656c6c 6f
            }
            """);
  }

  @Test
  void paddingAndReservedBitsAreShown() {
    byte[] wqe = WqeText.assemble("wqe {\n ctrl opcode=SEND\n inline\n bytes 6869\n}");
    wqe[7] |= (byte) 0x80;
    wqe[17] = 0x10;
    wqe[31] = 0x77;
    assertThat(WqeText.disassemble(wqe))
        .isEqualTo(
            """
            wqe {
              ctrl opcode=SEND index=0 qpn=0x000000 ds=2 ce=error +0x4=0x00000080
              inline length=2 +0x0=0x00100000
              bytes 6869
              padding 00000000 00000000 0077
            }
            """);
    assertThat(WqeText.assemble(WqeText.disassemble(wqe))).isEqualTo(wqe);
  }

  @Test
  void bytesBehindTheEntryArePrintedAsTheRest() {
    byte[] nop =
        Hex.parse("00000000 00000102" + "00".repeat(8) + "11".repeat(16) + "00".repeat(40));
    assertThat(WqeText.disassemble(nop))
        .isEqualTo(
            """
            wqe {
              ctrl opcode=NOP index=0 qpn=0x000001 ds=2 ce=error
              raw 11111111 11111111 11111111 11111111
              rest zeros=40
            }
            """);
  }

  @Test
  void aTruncatedEntryIsMarked() {
    byte[] half = Arrays.copyOf(WRITE, 40);
    assertThat(WqeText.disassemble(half))
        .contains("# ds=3 means 48 bytes, but there are only 40")
        .contains("raw 00000040 00a0b000");
    assertThat(WqeText.assemble(WqeText.disassemble(half))).isEqualTo(half);
  }

  @Test
  void aSegmentForWhichDsIsTooSmallIsNamed() {
    byte[] wqe = WRITE.clone();
    wqe[7] = 1;
    assertThat(WqeText.disassemble(wqe))
        .contains("ds=1 ce=always\n  # ds=1 is too small: the remote address segment is missing\n");
    wqe[7] = 0;
    assertThat(WqeText.disassemble(wqe)).contains("# ds=0 is too small: the remote address");
    wqe[7] = 2;
    assertThat(WqeText.disassemble(wqe)).doesNotContain("#");
  }

  @Test
  void inlineDataThatDoNotFitAreRaw() {
    byte[] wqe = Hex.parse("0000000a 00000102 00000008 00000000 8000000d" + "00".repeat(12));
    assertThat(WqeText.disassemble(wqe))
        .contains("# 13 bytes of inline data do not fit the 12 that are left")
        .contains("raw 8000000d 00000000 00000000 00000000");
  }

  @Test
  void theServiceTypeDeterminesTheSegmentBehindTheControlSegment() {
    byte[] wqe = WqeText.assemble("wqe {\n ctrl opcode=SEND\n raw zeros=64\n}");
    wqe[24] = (byte) 0x80;
    assertThat(WqeText.disassemble(wqe, ServiceType.UC)).contains("data byte_count=0");
    assertThat(WqeText.disassemble(wqe, ServiceType.UD)).contains(" av qkey=0x00000000 ext=1");
    assertThat(WqeText.disassemble(wqe, ServiceType.DCI)).contains("dc_av dc_key");
    assertThat(WqeText.disassemble(wqe, ServiceType.XRC)).contains("xrc srqn=0x000000");
    assertThat(WqeText.disassemble(wqe, ServiceType.RAW)).contains("eth flow_table_metadata=");
    wqe[24] = 0;
    assertThat(WqeText.disassemble(wqe, ServiceType.UD)).contains("compact_av qkey");
    assertThat(WqeText.disassemble(wqe, ServiceType.DCI)).contains("compact_dc_av dc_key");
  }

  @Test
  void aRequestThatTheServiceDoesNotHaveIsRaw() {
    assertThat(WqeText.disassemble(WRITE, ServiceType.UD))
        .isEqualTo(
            """
            wqe {
              ctrl opcode=RDMA_WRITE index=0 qpn=0x0a1b01 ds=3 ce=always
              raw 00001234 56789abc 00c0ffee 00000000
              raw 00000040 00a0b000 00007f11 22330000
            }
            """);
    byte[] otherOpmod = WRITE.clone();
    otherOpmod[0] = 5;
    assertThat(WqeText.disassemble(otherOpmod)).contains("opmod=0x05").contains("raw 00001234");
  }

  @Test
  void anInlinedEthernetHeaderIsSkippedBeforeTheData() {
    byte[] wqe =
        WqeText.assemble("wqe {\n ctrl opcode=TSO\n eth inline_hdr_sz=18\n raw zeros=16\n}");
    byte[] withData = Arrays.copyOf(wqe, wqe.length + 16);
    withData[7] = 4;
    assertThat(WqeText.disassemble(withData))
        .contains("raw zeros=16\n  data byte_count=0 lkey=0x00000000");
  }

  @Test
  void wordsAndTableAgreeOnEveryField() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      long first = ControlSegment.first(0, random.nextInt(), 0x08, random.nextInt(), 3);
      long second = ControlSegment.second(random.nextInt(), random.nextInt());
      long address = random.nextLong();
      int rkey = random.nextInt();
      long pointer = DataSegment.first(random.nextInt() >>> 1, random.nextInt());
      byte[] wqe =
          ByteBuffer.allocate(48)
              .putLong(first)
              .putLong(second)
              .putLong(address)
              .putLong(RemoteAddressSegment.second(rkey))
              .putLong(pointer)
              .putLong(address)
              .array();
      String text = WqeText.disassemble(wqe);
      Line control = Texts.line(text, "ctrl");
      assertThat(Texts.number(control, "index")).isEqualTo(ControlSegment.wqeIndex(first));
      assertThat(Texts.number(control, "qpn")).isEqualTo(ControlSegment.qpn(first));
      assertThat((int) Texts.number(control, "imm")).isEqualTo(ControlSegment.immediate(second));
      assertThat(flags(control)).isEqualTo(ControlSegment.fmCeSe(second) & 0xee);
      assertThat(Texts.number(Texts.line(text, "raddr"), "address")).isEqualTo(address);
      assertThat((int) Texts.number(Texts.line(text, "raddr"), "rkey")).isEqualTo(rkey);
      Line data = Texts.line(text, "data");
      assertThat(Texts.number(data, "byte_count")).isEqualTo(DataSegment.byteCount(pointer));
      assertThat((int) Texts.number(data, "lkey")).isEqualTo(DataSegment.lkey(pointer));
    }
  }

  private static int flags(Line control) {
    int ce =
        switch (control.value("ce").orElseThrow()) {
          case "error" -> ControlSegment.CE_ON_ERROR;
          case "first_error" -> ControlSegment.CE_ON_FIRST_ERROR;
          case "always" -> ControlSegment.CE_ALWAYS;
          default -> ControlSegment.CE_ALWAYS_EVENT;
        };
    int fence =
        switch (control.value("fence").orElse("none")) {
          case "none" -> 0;
          case "small" -> ControlSegment.FENCE_SMALL;
          case "fence" -> ControlSegment.FENCE;
          case "strong" -> ControlSegment.FENCE_STRONG;
          case "small_and_fence" -> ControlSegment.FENCE_SMALL_AND_FENCE;
          case "0x5" -> 0xa0;
          case "0x6" -> 0xc0;
          default -> 0xe0;
        };
    return ce | fence | (Texts.number(control, "solicited") == 1 ? ControlSegment.SOLICITED : 0);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ctrl opcode=WRITE                 | line 2: opcode takes a number or one of NOP,
          ctrl opcode=0x100                 | line 2: opcode has 8 bits, which is too few for 0x100
          ctrl qpn=ten                      | line 2: qpn takes a number such as 10 or 0x0a, found 'ten'
          ctrl qpn=0x                       | line 2: qpn takes a number such as 10 or 0x0a, found '0x'
          ctrl qpn=-1                       | line 2: qpn takes a number such as 10 or 0x0a, found '-1'
          ctrl qpn=                         | line 2: expected name=value without spaces, found 'qpn='
          ctrl qpn = 5                      | line 2: expected name=value without spaces, found '='
          ctrl qpn=1 qpn=2                  | line 2: 'qpn' is given twice
          ctrl color=3                      | line 2: no field is called 'color' here
          ctrl imm=1 inv_key=2              | line 2: inv_key sets bits that another field already set
          ctrl 12345678                     | line 2: expected name=value, found '12345678'
          ctrl +0x2=1                       | line 2: +0x2 is not a dword: offsets are multiples of 4 up to 12
          ctrl +0x10=1                      | line 2: +0x10 is not a dword
          ctrl +x=1                         | line 2: the offset takes a number
          ctrl +0=0x100000000               | line 2: +0 has 32 bits, which is too few for 0x100000000
          ctrl index=1 +0x0=0x100           | line 2: +0x0 sets bits that another field already set
          control opcode=SEND               | line 2: expected one of ctrl, raddr, data,
          qpn=5                             | line 2: expected one of ctrl, raddr, data,
          raw 123                           | line 2: expected pairs of hexadecimal digits, found '123'
          raw zz                            | line 2: expected pairs of hexadecimal digits, found 'zz'
          raw zeros=99999999                | line 2: zeros is at most 1048576, found 99999999
          raw zeros=0xffffffffffffffff      | line 2: zeros is at most 1048576
          raw length=5                      | line 2: expected hexadecimal digits, found 'length=5'
          bytes 0102                        | line 2: expected one of ctrl
          inline length=5                   | line 2: length is 5, but 0 bytes follow
          inline length=1024                | line 2: length has 10 bits, which is too few for 1024
          end 00                            | line 2: expected name=value, found '00'
          end lkey=0x100                    | line 2: expected hexadecimal digits, found 'lkey=0x100'
          masked_cs16 swap=0102             | line 2: swap takes 32 hexadecimal digits, found '0102'
          """)
  void aWrongLineIsNamedWithWhatWasExpected(String line, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WqeText.assemble("wqe {\n" + line + "\n}"))
        .withMessageContaining(message);
  }

  @Test
  void wrongInlineDataAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WqeText.assemble("wqe {\ninline\nbytes 01\npadding 00\n}"))
        .withMessage("line 2: 11 bytes of padding are needed, found 1");
    String data = "bytes " + "00".repeat(InlineSegment.LENGTH_MASK + 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WqeText.assemble("wqe {\ninline\n" + data + "\n}"))
        .withMessage("line 2: inline data is at most 1023 bytes, found 1024");
  }

  @Test
  void anEntryThatIsTooLongForDsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WqeText.assemble("wqe {\nctrl opcode=NOP\nraw zeros=1008\n}"))
        .withMessage("line 2: the entry has 64 units of 16 bytes, but ds counts at most 63");
    assertThat(WqeText.assemble("wqe {\nctrl opcode=NOP\nraw zeros=992\nrest zeros=64\n}"))
        .hasSize(1072);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WqeText.assemble("wqe {\nraw zeros=1048576\nraw 00\n}"))
        .withMessage("line 3: the entry has more than 1048576 bytes");
  }

  @Test
  void twoControlSegmentsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WqeText.assemble("wqe {\nctrl\nctrl\n}"))
        .withMessage("line 3: an entry has only one control segment");
  }
}
