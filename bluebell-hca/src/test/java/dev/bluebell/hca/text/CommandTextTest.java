package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.View;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandTextTest {

  @Test
  void anInputIsOneLineAField() {
    View command = View.of(CreateCqIn.STRUCTURE, 16);
    command.set(CmdIn.OPCODE, CommandOpcode.CREATE_CQ).set(CreateCqIn.CQ_UMEM_ID, 3);
    command.at(CreateCqIn.CQ_CONTEXT).set(Cqc.LOG_CQ_SIZE, 7).set(Cqc.C_EQN, 4);
    command.bytes()[20] = (byte) 0x80;
    command.bytes()[command.bytes().length - 1] = 1;
    String text =
        """
        input CREATE_CQ {
          cq_context.dbr_umem_id=0x80000000
          cq_context.log_cq_size=7
          cq_context.c_eqn=4
          cq_umem_id=0x00000003
          list offset=0x110 00000000 00000000 00000000 00000001
        }
        """;
    assertThat(CommandText.disassembleInput(command.bytes())).isEqualTo(text);
    assertThat(CommandText.assemble(text)).isEqualTo(command.bytes());
  }

  @Test
  void bitsWithoutANameAreDwords() {
    byte[] command = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ).bytes();
    command[95] = 0x12;
    assertThat(CommandText.disassembleInput(command)).contains("  +0x5c=0x00000012\n");
  }

  @Test
  void anUnknownCommandHasAHeaderAndDwords() {
    byte[] command = Hex.parse("0ff1 0002 0000 0003 00000004 00000000 00000005 00000000");
    String text =
        """
        input 0xff1 op_mod=0x0003 {
          uid=2
          +0x8=0x00000004
          list offset=0x10 00000005 00000000
        }
        """;
    assertThat(CommandText.disassembleInput(command)).isEqualTo(text);
    assertThat(CommandText.assemble(text)).isEqualTo(command);
  }

  @Test
  void aFailureIsShorterThanASuccess() {
    byte[] output = new byte[16];
    View.over(output).set(CmdOut.STATUS, CommandStatus.BAD_PARAM).set(CmdOut.SYNDROME, 7);
    assertThat(CommandText.disassembleOutput(CommandOpcode.QUERY_CQ, 0, output))
        .isEqualTo(
            """
            output QUERY_CQ length=16 {
              status=BAD_PARAM
              syndrome=0x00000007
            }
            """);
    assertThat(CommandText.disassembleOutput(CommandOpcode.DESTROY_CQ, 0, output))
        .startsWith("output DESTROY_CQ {\n");
  }

  @Test
  void capabilitiesAreNamedByTheirType() {
    View output = View.of(QueryHcaCapOut.STRUCTURE);
    output
        .at(new Area("capability", 16, CmdHcaCap.STRUCTURE))
        .set(CmdHcaCap.LOG_MAX_QP, 18)
        .set(CmdHcaCap.VHCA_ID, 5);
    int opcode = CommandOpcode.QUERY_HCA_CAP;
    assertThat(CommandText.disassembleOutput(opcode, 1, output.bytes()))
        .isEqualTo(
            """
            output QUERY_HCA_CAP op_mod=0x0001 {
              status=OK
              capability.vhca_id=5
              capability.log_max_qp=18
            }
            """);
    assertThat(CommandText.disassembleOutput(opcode, 6, output.bytes()))
        .doesNotContain("log_max_qp");
    assertThat(CommandText.disassembleOutput(opcode, 0x7e, output.bytes()))
        .contains("+0x14=0x00000005");
  }

  @Test
  void theExtensionOfAQueuePairIsNamedWhenTheCommandAnnouncesIt() {
    byte[] plain = new byte[CreateQpIn.STRUCTURE.bytes() + 192];
    View.over(plain).set(CmdIn.OPCODE, CommandOpcode.CREATE_QP);
    plain[272] = 0x20;
    assertThat(CommandText.disassembleInput(plain)).contains("list offset=0x110 20000000");
    View.over(plain).set(CreateQpIn.QPC_EXT, 1);
    String text = CommandText.disassembleInput(plain);
    assertThat(text).contains("qpc_data_extension.mmo=1").doesNotContain("length");
    assertThat(CommandText.assemble(text)).isEqualTo(plain);
  }

  @Test
  void aListWithoutOffsetsFollowsTheFixedPart() {
    byte[] command =
        CommandText.assemble(
            "input CREATE_QP {\n uid=1\n list 0102\n list 03\n list offset=0x120 04\n}");
    assertThat(command).hasSize(0x121);
    assertThat(Arrays.copyOfRange(command, 0x110, 0x113)).containsExactly(1, 2, 3);
    assertThat(command[0x120]).isEqualTo((byte) 4);
    byte[] extended = CommandText.assemble("input CREATE_QP {\n qpc_ext=1\n list 01\n}");
    assertThat(extended).hasSize(272 + 192 + 1).endsWith(1);
  }

  @Test
  void theStatedLengthHolds() {
    assertThat(CommandText.assemble("input 0x500 length=300 {\n}")).hasSize(300);
    assertThat(CommandText.assemble("input CREATE_QP length=2 {\n}")).containsExactly(5, 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandText.assemble("input CREATE_QP length=3 {\n uid=1\n}"))
        .withMessage("line 1: length=3 cuts off bytes that the text sets");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          input {                             | line 1: expected the name or number of a command after 'input'
          input MAKE_QP {                     | line 1: no command is called 'MAKE_QP'
          input 0x10000 {                     | line 1: opcode has 16 bits, which is too few for 0x10000
          input CREATE_QP op_mod=65536 {      | line 1: op_mod has 16 bits, which is too few for 0x10000
          input CREATE_QP size=5 {            | line 1: expected op_mod or length, found 'size'
          input CREATE_QP length=9999999 {    | line 1: length is at most 1048576, found 9999999
          output CREATE_QP {;opcode=5         | line 2: no field is called 'opcode' here
          output CREATE_QP {;status=WRONG     | line 2: status takes a number or one of OK, INT_ERR,
          input CREATE_QP {;qpc.st=16;qpc.st=1 | line 3: qpc.st sets bits that another field already set
          input CREATE_QP {;qpc.mtu=8         | line 2: qpc.mtu has 3 bits, which is too few for 8
          input CREATE_CQ {;+0x4=0x7          | line 2: +0x4 sets bits that another field already set
          input CREATE_QP {;raw 00            | line 2: expected name=value or 'list', found 'raw'
          input CREATE_QP {;list at=5 00      | line 2: expected offset or bytes, found 'at'
          input CREATE_QP {;list offset=5 00  | line 2: a list must start after the fixed part, at 272 or later
          input CREATE_QP {;list offset=1048576 00 | line 2: a list must end at 1048576 or earlier
          input CREATE_QP {;list 01;list offset=272 02 | line 3: sets bytes that another line already set
          input CREATE_QP {;list 0            | line 2: expected pairs of hexadecimal digits, found '0'
          command CREATE_QP {                 | line 1: expected 'input NAME {' or 'output NAME {', found 'command'
          """)
  void aWrongLineIsNamedWithWhatWasExpected(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandText.assemble(text.replace(';', '\n') + "\n}"))
        .withMessageContaining(message);
  }

  @Test
  void aWideFieldMayBeANumberWithoutItsLeadingZeros() {
    String text = "input INIT2RTR_QP length=272 {\n  qpc.primary_address_path.rgid_rip=%s\n}\n";
    assertThat(CommandText.assemble(text.formatted("0xffff0a000001")))
        .isEqualTo(CommandText.assemble(text.formatted("00000000000000000000ffff0a000001")));
  }
}
