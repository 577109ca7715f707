package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QpcExt;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.option.Profile;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands that need capabilities which the device's profile does not claim. */
class ClaimedCapabilitiesTest {
  static List<Arguments> commands() {
    View order = View.command(Init2rtrQpIn.STRUCTURE, CommandOpcode.INIT2RTR_QP);
    order.at(Init2rtrQpIn.QPC).set(Qpc.DP_ORDERING_1, 1);
    View copies =
        View.of(Init2initQpIn.STRUCTURE, QpcExt.STRUCTURE.bytes())
            .set(CmdIn.OPCODE, CommandOpcode.INIT2INIT_QP);
    copies.at(Init2initQpIn.QPC_DATA_EXT).set(QpcExt.MMO, 1);
    View compressed = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ);
    compressed
        .at(CreateCqIn.CQ_CONTEXT)
        .set(Cqc.CQE_COMP_EN, 1)
        .set(Cqc.CQE_COMPRESSION_LAYOUT, Cqc.LAYOUT_ENHANCED);
    return List.of(
        Arguments.of(
            View.command(CreateXrqIn.STRUCTURE, CommandOpcode.CREATE_XRQ),
            "a tag-matching queue: this device, or a card of its profile, does not have the"
                + " capability tag_matching"),
        Arguments.of(order, "dp_ordering is 2, all out of order: "),
        Arguments.of(copies, "mmo is 1: "),
        Arguments.of(compressed, "cqe_compression_layout is 1, enhanced: "));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aFeatureThatTheProfileDoesNotClaimIsRefusedByName(View command, String explanation) {
    FirmwareRig device = new FirmwareRig(Profile.named("connectx6dx"));
    Firmware.Answer answer = device.execute(command.bytes());
    assertThat(View.over(answer.output()).getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.BAD_PARAM);
    assertThat(answer.explanation()).contains(explanation);
  }
}
