package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.command.QpCommands.DetachFromMcgIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.InfiniBandWay;
import dev.bluebell.softnic.rig.MappedFile;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of receivers of datagrams, on ports of both kinds. */
class MulticastTest {
  private static final int QKEY = 0x11111111;
  private static final int GROUP_QPN = 0xff_ffff;
  private static final int GROUP_LID = 0xc001;
  private static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x1_0000_0001L);

  private Rig rig;
  private RawMemory source;
  private RawMemory target;

  @BeforeEach
  void open() {
    use(Rigs.openInfiniBand(options -> options));
  }

  private void use(Rig opened) {
    if (rig != null) {
      rig.close();
    }
    rig = opened;
    source = rig.memory(4096).fill(1);
    target = rig.memory(1 << 13);
  }

  @AfterEach
  void close() {
    target.expectCanaries();
    rig.close();
  }

  private RawQp datagrams() {
    return datagrams(new RawQpPlan(rig.cq(6)));
  }

  private RawQp datagrams(RawQpPlan plan) {
    RawQp qp = rig.qp(plan.service(ServiceType.UD.code()));
    qp.connect(0, new Settings().qkey(QKEY));
    return qp;
  }

  private RawQp member() {
    RawQp made = datagrams();
    attach(made, GROUP);
    return made;
  }

  private static void attach(RawQp qp, Gid group) {
    qp.object()
        .modify(
            View.command(AttachToMcgIn.STRUCTURE, CommandOpcode.ATTACH_TO_MCG)
                .set(AttachToMcgIn.QPN, qp.number())
                .setBytes(AttachToMcgIn.MULTICAST_GID, group.bytes())
                .bytes());
  }

  private static void detach(RawQp qp, Gid group) {
    qp.object()
        .modify(
            View.command(DetachFromMcgIn.STRUCTURE, CommandOpcode.DETACH_FROM_MCG)
                .set(DetachFromMcgIn.QPN, qp.number())
                .setBytes(DetachFromMcgIn.MULTICAST_GID, group.bytes())
                .bytes());
  }

  private void receive(RawQp... receivers) {
    for (RawQp receiver : receivers) {
      receiver.receive(target.address(0), 1 << 13, target.key());
    }
  }

  private static Wqe toGroup(InfiniBandWay way) {
    return way.request(WqeOpcode.SEND, AddressVector.keyWord(QKEY), GROUP_QPN);
  }

  private void send(RawQp from) {
    post(from, toGroup(InfiniBandWay.to(GROUP_LID).by(GROUP)));
  }

  private void post(RawQp from, Wqe wqe) {
    from.post(wqe.data(source, 0, 8));
    rig.settle();
  }

  private static int received(RawQp by) {
    return (int)
        by.receives().poll().stream().filter(cqe -> cqe.opcode() == CqeOpcode.RESP_SEND).count();
  }

  // ---- InfiniBand

  @Test
  void eachMemberOfAGroupReceivesACopy() {
    RawQp first = member();
    RawQp second = member();
    RawQp stranger = datagrams();
    receive(first, second, stranger);
    RawQp sender = datagrams();
    send(sender);
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    RawCqe cqe = first.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(cqe.byteCount()).isEqualTo(48);
    assertThat(cqe.pathBits()).isZero();
    assertThat(cqe.remoteQpn()).isEqualTo(sender.number());
    assertThat(Cqe.hasHeader(cqe.flags())).isTrue();
    assertThat(target.bytes(24, 16)).isEqualTo(GROUP.bytes());
    assertThat(target.bytes(40, 8)).isEqualTo(source.bytes(0, 8));
    assertThat(received(second)).isEqualTo(1);
    assertThat(received(stranger)).isZero();
  }

  @Test
  void aMemberWhoseQueueVanishedEndsAlone(@TempDir Path directory) throws IOException {
    try (MappedFile file = new MappedFile(directory, 4096)) {
      RawCq vanishing = RawCq.at(rig, 4, rig.nic().registerUmem(file.memory()));
      RawQp gone = datagrams(new RawQpPlan(vanishing));
      attach(gone, GROUP);
      RawQp member = member();
      receive(gone, member);
      RawQp sender = datagrams();
      file.truncate();
      send(sender);
      sender.sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(received(member)).isEqualTo(1);
      assertThat(gone.state()).isEqualTo(QpState.ERR);
      assertThat(sender.state()).isEqualTo(QpState.RTS);
    }
  }

  @Test
  void attachingTwiceAttachesOnceAndDetachingOnceDetaches() {
    RawQp member = member();
    attach(member, GROUP);
    receive(member, member);
    RawQp sender = datagrams();
    send(sender);
    assertThat(received(member)).isEqualTo(1);
    detach(member, GROUP);
    send(sender);
    assertThat(received(member)).isZero();
    assertThat(rig.explanation()).contains("no queue pair is attached to the group " + GROUP);
    assertThat(Rig.refused(() -> detach(member, GROUP)))
        .hasMessageContaining("is not attached to the group");
  }

  @Test
  void aDatagramToAGroupWithoutAGlobalRouteIsDropped() {
    RawQp member = member();
    receive(member);
    post(datagrams(), toGroup(InfiniBandWay.to(GROUP_LID)));
    assertThat(received(member)).isZero();
    assertThat(rig.explanation()).contains("has no global route (grh), whose GID names the group");
  }

  @Test
  void aMemberWithAnotherQueueKeyReceivesNothing() {
    RawQp member = member();
    RawQp other = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    other.connect(0, new Settings().qkey(QKEY + 1));
    attach(other, GROUP);
    receive(member, other);
    send(datagrams());
    assertThat(received(other)).isZero();
    assertThat(received(member)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSenderInTheGroupReceivesItsOwnCopyUnlessLoopbackIsBlocked(boolean blocks) {
    RawQp sender =
        datagrams(new RawQpPlan(rig.cq(6)).change(qpc -> qpc.set(Qpc.BLOCK_LB_MC, blocks)));
    attach(sender, GROUP);
    RawQp member = member();
    receive(sender, member);
    send(sender);
    assertThat(received(sender)).isEqualTo(blocks ? 0 : 1);
    assertThat(received(member)).isEqualTo(1);
  }

  @Test
  void aMemberWithoutAReceiveDoesNotHoldUpOthers() {
    RawQp empty = member();
    RawQp member = member();
    receive(member);
    send(datagrams());
    assertThat(received(empty)).isZero();
    assertThat(received(member)).isEqualTo(1);
  }

  @Test
  void aQueuePairThatIsDestroyedLeavesItsGroups() {
    RawQp gone = member();
    RawQp member = member();
    receive(gone, member);
    gone.object().close();
    send(datagrams());
    assertThat(received(member)).isEqualTo(1);
    member.object().close();
    send(datagrams());
    assertThat(rig.explanation()).contains("no queue pair is attached");
  }

  @Test
  void otherServicesDoNotSendToGroups() {
    RawQp member = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    member.connect(0, new Settings().qkey(0));
    attach(member, GROUP);
    receive(member);
    RawQp sender = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UC.code()));
    sender.connect(GROUP_QPN, new Settings().way(InfiniBandWay.to(GROUP_LID).by(GROUP)));
    post(sender, Wqe.send());
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(received(member)).isZero();
    assertThat(rig.explanation()).contains("no QP 0xffffff exists");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aQueuePairOfAConnectionIsRefused(int service) {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(4)).service(service));
    assertThat(Rig.refused(() -> attach(qp, GROUP)))
        .hasMessageContaining("only UD queue pairs receive from a group");
  }

  @Test
  void aGidOfNoGroupIsRefused() {
    RawQp qp = datagrams();
    assertThat(Rig.refused(() -> attach(qp, rig.nic().queryGid(1, 0))))
        .hasMessageContaining("is not the GID of a group: ff00::/8, or 224.0.0.0/4 of IPv4");
  }

  // ---- bounds

  private static Gid group(int number) {
    return new Gid(GROUP.high(), number);
  }

  @Test
  void aGroupHas32Members() {
    RawCq cq = rig.cq(4);
    List<RawQp> members = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      RawQp made = rig.qp(new RawQpPlan(cq).service(ServiceType.UD.code()));
      attach(made, GROUP);
      members.add(made);
    }
    RawQp more = rig.qp(new RawQpPlan(cq).service(ServiceType.UD.code()));
    assertThat(Rig.refused(() -> attach(more, GROUP)))
        .hasMessageContaining("already has 32 queue pairs, the maximum (max_qp_mcg)");
    detach(members.get(7), GROUP);
    attach(more, GROUP);
  }

  @Test
  void aQueuePairIsIn64GroupsAndThereAre4096() {
    RawCq cq = rig.cq(4);
    for (int i = 0; i < 64; i++) {
      RawQp made = rig.qp(new RawQpPlan(cq).service(ServiceType.UD.code()));
      for (int j = 0; j < 64; j++) {
        attach(made, group(i << 6 | j));
      }
      if (i == 0) {
        HcaException refused = Rig.refused(() -> attach(made, group(64)));
        assertThat(refused).hasMessageContaining("is already in 64 groups, the maximum");
      }
    }
    RawQp more = rig.qp(new RawQpPlan(cq).service(ServiceType.UD.code()));
    assertThat(Rig.refused(() -> attach(more, group(4096))))
        .hasMessageContaining("all 4096 groups are in use (log_max_mcg)");
    attach(more, group(4095));
  }

  // ---- processes that share the device

  private Rig process() {
    return new Rig((SoftNic) rig.nic().hosting().orElseThrow().openClient(), rig.clock());
  }

  private static int join(Rig process, RawCq cq, Gid group) {
    RawQp made = process.qp(new RawQpPlan(cq).service(ServiceType.UD.code()));
    try {
      attach(made, group);
      return 1;
    } catch (HcaException refused) {
      assertThat(refused.status()).isEqualTo(CommandStatus.LIM_ERR);
      assertThat(refused)
          .hasMessageContaining("the client process has")
          .hasMessageContaining("of the 32 places in group")
          .hasMessageContaining("not take more than remain free for others");
      return 0;
    }
  }

  @Test
  void aClientProcessTakesNoMorePlacesOfAGroupThanStayFree() {
    try (Rig greedy = process();
        Rig second = process();
        Rig third = process()) {
      RawCq cq = greedy.cq(4);
      int taken = 0;
      while (join(greedy, cq, GROUP) > 0) {
        taken++;
      }
      assertThat(taken).isEqualTo(16);
      RawCq others = second.cq(4);
      taken = 0;
      while (join(second, others, GROUP) > 0) {
        taken++;
      }
      assertThat(taken).isEqualTo(8);
      assertThat(join(third, third.cq(4), GROUP)).isEqualTo(1);
    }
  }

  @Test
  void aClientProcessBeginsNoMoreGroupsThanStayFree() {
    try (Rig greedy = process();
        Rig other = process()) {
      RawCq cq = greedy.cq(4);
      for (int i = 0; i < 32; i++) {
        RawQp made = greedy.qp(new RawQpPlan(cq).service(ServiceType.UD.code()));
        for (int j = 0; j < 64; j++) {
          attach(made, group(i << 6 | j));
        }
      }
      RawQp more = greedy.qp(new RawQpPlan(cq).service(ServiceType.UD.code()));
      HcaException refused = Rig.refused(() -> attach(more, group(4000)));
      assertThat(refused.status()).isEqualTo(CommandStatus.LIM_ERR);
      assertThat(refused)
          .hasMessageContaining("the client process is in 2048 of the 4096 groups; 2048 are free");
      attach(more, group(7));
      assertThat(join(other, other.cq(4), group(4000))).isEqualTo(1);
      assertThat(join(other, other.cq(4), group(7))).isEqualTo(1);
    }
  }

  // ---- Ethernet

  private static Wqe overEthernet(Gid group, long mac, int source) {
    return new Wqe(WqeOpcode.SEND)
        .words(AddressVector.keyWord(QKEY), AddressVector.destinationWord(GROUP_QPN, 0, 0xc000))
        .words(AddressVector.rmacWord(mac), AddressVector.routeWord(mac, 0x6a, 63, source, 0x12345))
        .words(group.high(), group.low());
  }

  @Test
  void onAnEthernetPortAGroupIsReachedByItsGidAndItsMac() {
    use(Rigs.open());
    RawQp first = member();
    RawQp second = member();
    receive(first, second);
    post(datagrams(), overEthernet(GROUP, 0x3333_0000_0001L, Addresses.LINK_LOCAL));
    assertThat(received(first)).isEqualTo(1);
    assertThat(received(second)).isEqualTo(1);
    assertThat(target.bytes(24, 16)).isEqualTo(GROUP.bytes());
    receive(first);
    post(datagrams(), overEthernet(GROUP, Addresses.PORT.mac(), Addresses.LINK_LOCAL));
    assertThat(received(first)).isZero();
    assertThat(rig.explanation()).contains("(rmac); it must be 333300000001");
  }

  @Test
  void onAnEthernetPortThereAreGroupsOfIpv4() {
    use(Rigs.open());
    Gid group = Gid.ofIpv4(0xefff0102);
    RawQp member = datagrams();
    attach(member, group);
    receive(member);
    post(datagrams(), overEthernet(group, 0x0100_5e7f_0102L, Addresses.IPV4));
    assertThat(received(member)).isEqualTo(1);
  }
}
