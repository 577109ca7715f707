package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.XrcSrqc;
import dev.bluebell.hca.command.XrcSrqUmems;
import dev.bluebell.hca.structure.View;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each object that a command names is found once, wherever the field is. */
class CommandNamesTest {

  private static List<String> names(View command) {
    return CommandNames.of(command.bytes()).stream()
        .map(name -> "%s %d".formatted(name.field().name(), name.number()))
        .toList();
  }

  private static View createCq() {
    View command = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ);
    command.set(CreateCqIn.CQ_UMEM_ID, 5);
    command.at(CreateCqIn.CQ_CONTEXT).set(Cqc.DBR_UMEM_ID, 6).set(Cqc.UAR_PAGE, 7);
    return command;
  }

  @Test
  void eachObjectIsFoundOnce() {
    assertThat(names(createCq()))
        .containsExactlyInAnyOrder("cq_umem_id 5", "dbr_umem_id 6", "uar_page 7");
    View pool = View.command(CreateRmpIn.STRUCTURE, CommandOpcode.CREATE_RMP);
    pool.at(CreateRmpIn.CTX).at(Rmpc.WQ).set(Wq.PD, 1).set(Wq.WQ_UMEM_ID, 2).set(Wq.DBR_UMEM_ID, 3);
    assertThat(names(pool)).containsExactlyInAnyOrder("pd 1", "wq_umem_id 2", "dbr_umem_id 3");
  }

  @Test
  void theRingThatACompletionQueueMovesToIsFound() {
    View command = View.command(ModifyCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ);
    command.set(ModifyCqIn.CQN, 4).set(CreateCqIn.CQ_UMEM_ID, 5);
    assertThat(names(command)).containsExactlyInAnyOrder("cqn 4", "cq_umem_id 5");
  }

  @Test
  void allObjectsOfAnXrcSharedReceiveQueueAreFound() {
    View command = View.command(CreateXrcSrqIn.STRUCTURE, CommandOpcode.CREATE_XRC_SRQ);
    command
        .set(XrcSrqUmems.WQ_UMEM_ID, 5)
        .at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY)
        .set(XrcSrqc.XRCD, 0x666666)
        .set(XrcSrqc.CQN, 7)
        .set(XrcSrqc.PD, 8)
        .set(XrcSrqUmems.DBR_UMEM_ID, 9);
    assertThat(names(command))
        .containsExactlyInAnyOrder(
            "xrcd 6710886", "cqn 7", "pd 8", "cq_umem_id 5", "dbr_umem_id 9");
    CommandNames.of(command.bytes()).stream()
        .filter(name -> name.kind() == ObjectKind.UMEM)
        .forEach(
            name ->
                name.view().set(name.sibling(name.field().name().replace("_id", "_valid")), true));
    assertThat(command.isSet(CreateXrcSrqIn.XRC_SRQ_UMEM_VALID)).isTrue();
    assertThat(command.at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY).isSet(XrcSrqc.DBR_UMEM_VALID))
        .isTrue();
  }

  @Test
  void settingANameChangesTheCommand() {
    View command = createCq();
    CommandNames.of(command.bytes()).stream()
        .filter(name -> name.kind() == ObjectKind.UMEM)
        .forEach(name -> name.view().set(name.field(), name.number() + 100));
    assertThat(names(command)).contains("cq_umem_id 105", "dbr_umem_id 106", "uar_page 7");
  }

  @Test
  void aKeyOfDeviceMemoryNamesItsAddressWhateverItsUmem() {
    View command = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
    View mkc = command.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY);
    mkc.set(Mkc.START_ADDR, 0x800000).set(Mkc.ACCESS_MODE_1_0, 1);
    assertThat(names(command)).isEmpty();
    mkc.set(Mkc.ACCESS_MODE_4_2, 1);
    assertThat(names(command)).containsExactly("start_addr " + 0x800000);
    mkc.set(Mkc.START_ADDR, 0);
    assertThat(names(command)).containsExactly("start_addr 0");
    command.set(CreateMkeyIn.MKEY_UMEM_ID, 5);
    assertThat(names(command)).containsExactlyInAnyOrder("mkey_umem_id 5", "start_addr 0");
  }

  @Test
  void aCommandThatIsUnknownOrTooShortNamesNothing() {
    byte[] command = createCq().bytes();
    assertThat(CommandNames.of(Arrays.copyOf(command, command.length - 1))).isEmpty();
    assertThat(CommandNames.of(new byte[3])).isEmpty();
    View unknown = View.over(command).set(CmdIn.OPCODE, 0xfff);
    assertThat(CommandNames.of(unknown.bytes())).isEmpty();
  }
}
