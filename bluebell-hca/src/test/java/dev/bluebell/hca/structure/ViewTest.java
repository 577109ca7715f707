package dev.bluebell.hca.structure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.QueryCqOut;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import org.junit.jupiter.api.Test;

class ViewTest {

  @Test
  void aCommandStartsWithItsOpcode() {
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    assertThat(command.bytes()).hasSize(272).startsWith(0x05, 0x00);
    assertThat(command.getInt(CmdIn.OPCODE)).isEqualTo(CommandOpcode.CREATE_QP);
  }

  @Test
  void nestedStructuresAreViewsOverTheSameBytes() {
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    View path = command.at(CreateQpIn.QPC).at(Qpc.PRIMARY_ADDRESS_PATH);
    path.set(Ads.RLID, 0x1234).set(Ads.GRH, true);
    int start = 24 + 24;
    assertThat(command.bytes()[start + 6]).isEqualTo((byte) 0x12);
    assertThat(command.bytes()[start + 7]).isEqualTo((byte) 0x34);
    assertThat(path.isSet(Ads.GRH)).isTrue();
    assertThat(command.at(CreateQpIn.QPC).isSet(Qpc.STATE)).isFalse();
    assertThat(path.set(Ads.GRH, false).isSet(Ads.GRH)).isFalse();
  }

  @Test
  void aListFollowsTheStructure() {
    View command = View.of(CreateMkeyIn.STRUCTURE, 32);
    assertThat(command.bytes()).hasSize(CreateMkeyIn.STRUCTURE.bytes() + 32);
  }

  @Test
  void aContextIsCopiedFromOneCommandToAnother() {
    View create = View.of(CreateCqIn.STRUCTURE);
    create.at(CreateCqIn.CQ_CONTEXT).set(Cqc.LOG_CQ_SIZE, 7).set(Cqc.C_EQN, 5);
    View query = View.of(QueryCqOut.STRUCTURE);
    create.at(CreateCqIn.CQ_CONTEXT).copyTo(query.at(QueryCqOut.CQ_CONTEXT), 64);
    assertThat(query.at(QueryCqOut.CQ_CONTEXT).getInt(Cqc.LOG_CQ_SIZE)).isEqualTo(7);
    assertThat(query.at(QueryCqOut.CQ_CONTEXT).getInt(Cqc.C_EQN)).isEqualTo(5);
  }
}
