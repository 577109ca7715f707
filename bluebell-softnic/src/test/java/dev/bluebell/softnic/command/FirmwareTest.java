package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.DomainCommands.AllocPdIn;
import dev.bluebell.hca.structure.View;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that are invalid, too short, or unknown to this device. */
class FirmwareTest {
  private final FirmwareRig rig = new FirmwareRig();

  private static int status(Firmware.Answer answer) {
    return View.over(answer.output()).getInt(CmdOut.STATUS);
  }

  @Test
  void everyOpcodeGetsAnAnswer() {
    for (int opcode = 0; opcode < 0x1000; opcode++) {
      byte[] command =
          new byte[CommandFormat.of(opcode).map(format -> format.input().bytes()).orElse(16)];
      command[0] = (byte) (opcode >> 8);
      command[1] = (byte) opcode;
      Firmware.Answer answer = rig.execute(command);
      assertThat(answer.output().length).isGreaterThanOrEqualTo(16);
      if (!answer.isOk()) {
        assertThat(answer.explanation()).isNotEmpty();
        assertThat(View.over(answer.output()).getInt(CmdOut.SYNDROME)).isNotZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x0, 0x700, 0x102, 0xffff})
  void anOpcodeThatTheDeviceDoesNotExecuteIsNamed(int opcode) {
    byte[] command = new byte[16];
    command[0] = (byte) (opcode >> 8);
    command[1] = (byte) opcode;
    Firmware.Answer answer = rig.execute(command);
    assertThat(status(answer)).isEqualTo(CommandStatus.BAD_OP);
    assertThat(answer.explanation()).contains("opcode 0x%x".formatted(opcode));
  }

  @Test
  void aCommandThatIsShorterThanItsHeaderIsRefused() {
    for (int length = 0; length < 16; length++) {
      Firmware.Answer answer = rig.execute(new byte[length]);
      assertThat(status(answer)).isEqualTo(CommandStatus.BAD_INP_LEN);
      assertThat(answer.explanation()).contains(length + " bytes", "16");
    }
  }

  @Test
  void aCommandThatIsShorterThanItsFormatIsRefused() {
    byte[] whole = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ).bytes();
    IntStream.range(16, whole.length)
        .forEach(
            length -> {
              Firmware.Answer answer = rig.execute(Arrays.copyOf(whole, length));
              assertThat(status(answer)).isEqualTo(CommandStatus.BAD_INP_LEN);
              assertThat(answer.explanation())
                  .contains("CREATE_CQ", whole.length + " bytes", Integer.toString(length));
            });
  }

  @Test
  void aSuccessHasNoExplanation() {
    Firmware.Answer answer =
        rig.execute(View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD).bytes());
    assertThat(answer.isOk()).isTrue();
    assertThat(answer.explanation()).isEmpty();
  }

  @Test
  void refusalsOfOneKindHaveTheSameSyndrome() {
    byte[] first = {0x7, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    byte[] second = {0x7, 0x79, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    assertThat(View.over(rig.execute(first).output()).get(CmdOut.SYNDROME))
        .isEqualTo(View.over(rig.execute(second).output()).get(CmdOut.SYNDROME));
  }
}
