package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.command.QpCommands.DetachFromMcgIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.dynamic.DcTargetAddressImpl;
import dev.bluebell.verbs.pair.AddressHandleImpl;
import dev.bluebell.verbs.ring.AddressWords;
import org.junit.jupiter.api.Test;

/** The commands of the driver for a device with an InfiniBand port. */
class InfiniBandAddressTest {
  private static final Gid NEAR = new Gid(0xfe80_0000_0000_0000L, 2);
  private static final Gid FAR = new Gid(0xfec0_0000_0000_0001L, 2);
  private static final Gid GROUP = new Gid(0xff12_401b_0000_0000L, 7);
  private static final QueuePairEndpoint PEER =
      new QueuePairEndpoint(NEAR, 0x1234, 0x00beef, 0x123456, 4096, 8);
  private static final UdEndpoint RECEIVER =
      new UdEndpoint(NEAR, 0x1234, 0x010203, 0x11223344, 4096);

  private final FakeHca hca = FakeHca.ofInfiniBand();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);

  private View path() {
    return hca.command(CommandOpcode.INIT2RTR_QP).at(Init2rtrQpIn.QPC).at(Qpc.PRIMARY_ADDRESS_PATH);
  }

  @Test
  void aConnectionIsMadeByLidAlone() {
    domain
        .rcQueuePair(completions)
        .pathBits(3)
        .create()
        .connect(PEER, ConnectOptions.DEFAULT.withServiceLevel(13).withTrafficClass(0x68));
    View path = path();
    assertThat(path.getInt(Ads.RLID)).isEqualTo(0x1234);
    assertThat(path.getInt(Ads.MLID)).isEqualTo(3);
    assertThat(path.getInt(Ads.SL)).isEqualTo(13);
    assertThat(path.getInt(Ads.VHCA_PORT_NUM)).isEqualTo(1);
    assertThat(path.isSet(Ads.GRH)).isFalse();
    assertThat(path.getBytes(Ads.RGID_RIP)).containsOnly(0);
    for (Field field :
        new Field[] {
          Ads.RMAC_47_32, Ads.RMAC_31_0, Ads.UDP_SPORT, Ads.DSCP, Ads.ETH_PRIO, Ads.TCLASS
        }) {
      assertThat(path.get(field)).as(field.name()).isZero();
    }
    assertThat(hca.log).noneMatch(call -> call.startsWith("resolve"));
    assertThat(hca.commands).doesNotContainKey(CommandOpcode.QUERY_ROCE_ADDRESS);
  }

  @Test
  void aConnectionHasAGlobalRouteWhenItIsAskedFor() {
    domain
        .ucQueuePair(completions)
        .create()
        .connect(PEER, ConnectOptions.DEFAULT.withGlobalRoute(true).withTrafficClass(0x68));
    expectGlobalRoute(NEAR, 0x68);
  }

  @Test
  void aConnectionToAnotherSubnetHasAGlobalRoute() {
    domain
        .xrcInitiator(completions)
        .create()
        .connect(new QueuePairEndpoint(FAR, 0x1234, 0x00beef, 0x123456, 4096, 8));
    expectGlobalRoute(FAR, 0);
  }

  @Test
  void aPortThatSharesItsLidSendsOnlyByGlobalRoute() {
    HcaPort own = hca.port;
    hca.port =
        new HcaPort(
            own.number(),
            own.linkLayer(),
            own.active(),
            own.activeMtu(),
            own.maxMtu(),
            own.gidTableLength(),
            own.pkeyTableLength(),
            own.mac(),
            own.lid(),
            own.lmc(),
            own.smLid(),
            own.speedMbps(),
            true);
    domain.rcQueuePair(completions).create().connect(PEER);
    expectGlobalRoute(NEAR, 0);
  }

  private void expectGlobalRoute(Gid to, int trafficClass) {
    View path = path();
    assertThat(path.getInt(Ads.RLID)).isEqualTo(0x1234);
    assertThat(path.isSet(Ads.GRH)).isTrue();
    assertThat(path.getBytes(Ads.RGID_RIP)).isEqualTo(to.bytes());
    assertThat(path.getInt(Ads.SRC_ADDR_INDEX)).isZero();
    assertThat(path.getInt(Ads.HOP_LIMIT)).isEqualTo(64);
    assertThat(path.getInt(Ads.TCLASS)).isEqualTo(trafficClass);
  }

  @Test
  void endpointsNameTheLidWithThePathBits() {
    assertThat(domain.rcQueuePair(completions).create().endpoint().lid()).isEqualTo(0x20);
    assertThat(domain.rcQueuePair(completions).pathBits(2).create().endpoint().lid())
        .isEqualTo(0x22);
    assertThat(domain.udQueuePair(completions).pathBits(1).create().endpoint().lid())
        .isEqualTo(0x21);
    assertThat(device.allocateXrcDomain().target().pathBits(3).create().endpoint().lid())
        .isEqualTo(0x23);
    DcTarget target =
        domain.dcTarget(completions, domain.sharedReceiveQueue().create()).pathBits(3).create();
    assertThat(target.endpoint().lid()).isEqualTo(0x23);
    assertThat(
            hca.command(CommandOpcode.CREATE_DCT)
                .at(CreateDctIn.DCT_CONTEXT_ENTRY)
                .getInt(Dctc.MY_ADDR_INDEX))
        .isZero();
  }

  @Test
  void pathBitsBeyondTheLmcAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.rcQueuePair(completions).pathBits(4).create())
        .withMessage(
            "pathBits is 4, but must be from 0 to 3: the LMC of port 1 of device fake is 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.rcQueuePair(completions).pathBits(128));
  }

  @Test
  void anEndpointOfTheOtherLinkLayerIsRefused() {
    QueuePairEndpoint ethernet =
        new QueuePairEndpoint(Gid.ofIpv4(0x0a000002), 0x00beef, 0x123456, 4096, 8);
    RcQueuePair here = domain.rcQueuePair(completions).create();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> here.connect(ethernet))
        .withMessageContaining("port 1 of device fake is an InfiniBand port, and the endpoint has")
        .withMessageContaining("no LID");
    Device other = Device.over(new FakeHca());
    RcQueuePair there =
        other.allocateProtectionDomain().rcQueuePair(other.createCompletionQueue(4)).create();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> there.connect(PEER))
        .withMessageContaining("is an Ethernet port, and the endpoint has LID 0x1234");
    // Both stay in INIT, and connect to a peer of their own.
    here.connect(PEER);
    there.connect(ethernet);
  }

  @Test
  void aGlobalRouteNeedsAGid() {
    UdQueuePair queuePair = domain.udQueuePair(completions).create();
    UdEndpoint withoutGid = new UdEndpoint(Gid.ZERO, 0x1234, 7, 8, 4096);
    assertThat(words(queuePair.addressHandle(withoutGid)).route()).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> queuePair.addressHandle(withoutGid, PathOptions.DEFAULT.withGlobalRoute(true)))
        .withMessageContaining("has no GID");
  }

  @Test
  void aDestinationByLidEndsBehindItsLid() {
    UdQueuePair queuePair = domain.udQueuePair(completions).pathBits(2).create();
    AddressWords words =
        words(queuePair.addressHandle(RECEIVER, new PathOptions(0x6a, 14, 0x12345)));
    assertThat(words)
        .isEqualTo(new AddressWords(0x1122334400000000L, 0x800102030e021234L, 0, 0, 0, 0));
  }

  @Test
  void aDestinationWithAGlobalRouteHasAllOfIt() {
    UdQueuePair queuePair = domain.udQueuePair(completions).gidIndex(1).create();
    AddressWords words =
        words(queuePair.addressHandle(RECEIVER, new PathOptions(0x6a, 14, 0x12345, true)));
    assertThat(words)
        .isEqualTo(
            new AddressWords(
                0x1122334400000000L,
                0x800102030e001234L,
                0,
                0x00006a4040112345L,
                NEAR.high(),
                NEAR.low()));
  }

  @Test
  void aGroupIsReachedByAGlobalRoute() {
    UdQueuePair queuePair = domain.udQueuePair(completions).create();
    UdEndpoint group = UdEndpoint.ofGroup(GROUP, 0xc002, 0x22, 2048);
    AddressWords words = words(queuePair.addressHandle(group));
    assertThat(words)
        .isEqualTo(
            new AddressWords(
                0x2200000000L,
                0x80ffffff0000c002L,
                0,
                0x0000004040000000L,
                GROUP.high(),
                GROUP.low()));
  }

  @Test
  void aTargetIsReachedByItsLid() {
    DcInitiator initiator = domain.dcInitiator(completions).pathBits(1).create();
    DcEndpoint target = new DcEndpoint(NEAR, 0x1234, 0x99, 0x0102030405060708L, 4096);
    assertThat(((DcTargetAddressImpl) initiator.targetAddress(target)).words())
        .isEqualTo(new AddressWords(0x0102030405060708L, 0x8000009900011234L, 0, 0, 0, 0));
  }

  @Test
  void aQueuePairJoinsAGroupAndLeavesIt() {
    UdQueuePair queuePair = domain.udQueuePair(completions).create();
    queuePair.attach(GROUP);
    View attach = hca.command(CommandOpcode.ATTACH_TO_MCG);
    assertThat(attach.getInt(AttachToMcgIn.QPN)).isEqualTo(queuePair.number());
    assertThat(attach.getBytes(AttachToMcgIn.MULTICAST_GID)).isEqualTo(GROUP.bytes());
    queuePair.detach(GROUP);
    View detach = hca.command(CommandOpcode.DETACH_FROM_MCG);
    assertThat(detach.getInt(DetachFromMcgIn.QPN)).isEqualTo(queuePair.number());
    assertThat(detach.getBytes(DetachFromMcgIn.MULTICAST_GID)).isEqualTo(GROUP.bytes());
  }

  @Test
  void anEthernetPortHasEightServiceLevels() {
    Device other = Device.over(new FakeHca());
    UdQueuePair queuePair =
        other.allocateProtectionDomain().udQueuePair(other.createCompletionQueue(4)).create();
    UdEndpoint receiver = new UdEndpoint(Gid.ofIpv4(0x0a000002), 7, 8, 1024);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queuePair.addressHandle(receiver, new PathOptions(0, 8, 0)))
        .withMessageContaining("serviceLevel on Ethernet");
  }

  @Test
  void thePortAndItsGidReportInfiniBand() {
    assertThat(device.port(1).linkLayer()).isEqualTo(LinkLayer.INFINIBAND);
    assertThat(device.gidType(1, 0)).isEqualTo(GidType.INFINIBAND).hasToString("IB");
  }

  private static AddressWords words(AddressHandle handle) {
    return ((AddressHandleImpl) handle).words();
  }
}
