package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.Capabilities.RoceCap;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DeviceCommands.QuerySpecialContextsIn;
import dev.bluebell.hca.command.DeviceCommands.QuerySpecialContextsOut;
import dev.bluebell.hca.command.QpCommands.DestroyQpIn;
import dev.bluebell.hca.command.QpCommands.QueryQpIn;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressIn;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressOut;
import dev.bluebell.hca.command.VportCommands.RoceAddrLayout;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.port.Gids;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.MappedFile;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The device as an {@link Hca}: queries, handles, ports, and its end. */
class SoftNicTest {
  private final Rig rig = Rigs.open();
  private final SoftNic nic = rig.nic();

  @AfterEach
  void close() {
    rig.close();
  }

  private View capability(int type) {
    byte[] command =
        View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
            .set(CmdIn.OP_MOD, type << 1 | 1)
            .bytes();
    return View.over(View.over(nic.execute(command)).getBytes(QueryHcaCapOut.CAPABILITY));
  }

  @Test
  void capabilitiesAreThoseOfConnectionsAndDatagrams() {
    View general = capability(0);
    assertThat(general.isSet(CmdHcaCap.RC)).isTrue();
    assertThat(general.isSet(CmdHcaCap.UC)).isTrue();
    assertThat(general.isSet(CmdHcaCap.UD)).isTrue();
    assertThat(general.isSet(CmdHcaCap.XRC)).isTrue();
    assertThat(general.getInt(CmdHcaCap.LOG_MAX_XRCD)).isEqualTo(16);
    assertThat(general.isSet(CmdHcaCap.DCT)).isTrue();
    assertThat(general.getInt(CmdHcaCap.LOG_MAX_DCI_STREAM_CHANNELS)).isEqualTo(6);
    assertThat(general.getInt(CmdHcaCap.LOG_MAX_DCI_ERRORED_STREAMS)).isEqualTo(6);
    assertThat(general.isSet(CmdHcaCap.CD)).isTrue();
    assertThat(general.isSet(CmdHcaCap.WAIT_ON_DATA)).isTrue();
    assertThat(general.isSet(CmdHcaCap.WAIT_ON_TIME)).isTrue();
    assertThat(general.isSet(CmdHcaCap.ECE_SUPPORT)).isTrue();
    assertThat(general.isSet(CmdHcaCap.CQE_COMPRESSION)).isTrue();
    assertThat(general.isSet(CmdHcaCap.CQE_COMPRESSION_128)).isTrue();
    assertThat(general.isSet(CmdHcaCap.ENHANCED_CQE_COMPRESSION)).isTrue();
    assertThat(general.getInt(CmdHcaCap.CQE_COMPRESSION_MAX_NUM)).isEqualTo(64);
    assertThat(general.getInt(CmdHcaCap.LOG_MAX_MSG)).isEqualTo(30);
    assertThat(general.getInt(CmdHcaCap.CQE_VERSION)).isEqualTo(1);
    assertThat(capability(3).getInt(AtomicCaps.ATOMIC_OPERATIONS)).isEqualTo(0xf);
    assertThat(capability(3).getInt(AtomicCaps.ATOMIC_SIZE_QP)).isEqualTo(4 | 8 | 16);
    assertThat(capability(3).getInt(AtomicCaps.ATOMIC_SIZE_DC)).isEqualTo(4 | 8 | 16);
    assertThat(general.isSet(CmdHcaCap.SCTR_DATA_CQE)).isTrue();
    assertThat(general.isSet(CmdHcaCap.DMA_MMO_QP)).isTrue();
    assertThat(general.getInt(CmdHcaCap.LOG_DMA_MMO_MAX_SIZE)).isEqualTo(30);
    assertThat(capability(4).getInt(RoceCap.R_ROCE_DEST_UDP_PORT)).isEqualTo(4791);
  }

  @Test
  void aQueryOfAnUnknownCapabilityTypeIsRefused() {
    assertThat(Rig.refused(() -> capability(0x27))).hasMessageContaining("capability type 0x27");
  }

  /** Libraries query them and skip capabilities that the answer does not have. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 6, 7, 8, 9, 0xb, 0xc, 0xd, 0xe, 0x11, 0x13, 0x1a, 0x1f, 0x24, 0x26})
  void capabilityTypesOfUnsupportedFeaturesAreAllZero(int type) {
    assertThat(capability(type).bytes()).containsOnly(0);
  }

  @Test
  void theAdapterHasAName() {
    Structure input = CommandFormat.of(CommandOpcode.QUERY_ADAPTER).orElseThrow().input();
    byte[] answer = nic.execute(View.command(input, CommandOpcode.QUERY_ADAPTER).bytes());
    assertThat(new String(answer, StandardCharsets.ISO_8859_1)).contains("BLUEBELL_SOFT");
  }

  @Test
  void noReservedKeyReachesAllMemory() {
    View answer =
        View.over(
            nic.execute(
                View.command(QuerySpecialContextsIn.STRUCTURE, CommandOpcode.QUERY_SPECIAL_CONTEXTS)
                    .bytes()));
    assertThat(answer.getInt(QuerySpecialContextsOut.DUMP_FILL_MKEY)).isNotZero();
    answer.set(QuerySpecialContextsOut.DUMP_FILL_MKEY, 0);
    assertThat(answer.bytes()).containsOnly(0);
  }

  private byte[] roceAddress(int index) {
    return View.command(QueryRoceAddressIn.STRUCTURE, CommandOpcode.QUERY_ROCE_ADDRESS)
        .set(QueryRoceAddressIn.ROCE_ADDRESS_INDEX, index)
        .bytes();
  }

  @Test
  void addressesAreThoseOfTheGidTable() {
    for (int i = 0; i < 8; i++) {
      View address = View.over(nic.execute(roceAddress(i))).at(QueryRoceAddressOut.ROCE_ADDRESS);
      assertThat(Gid.of(address.getBytes(RoceAddrLayout.SOURCE_L3_ADDRESS)))
          .isEqualTo(nic.queryGid(1, i));
      assertThat(address.getInt(RoceAddrLayout.ROCE_VERSION)).isEqualTo(i < 4 ? i % 2 * 2 : 0);
    }
    assertThat(nic.queryGid(1, 0)).isEqualTo(nic.queryGid(1, 1));
    assertThat(nic.queryGid(1, 3)).isEqualTo(Gid.ofIpv4(0x7f000001));
    assertThat(Rig.refused(() -> nic.execute(roceAddress(8))))
        .hasMessageContaining("roce_address_index 8");
  }

  @Test
  void aPathLeadsToTheDeviceItself() {
    HcaPath path = nic.resolve(1, 1, nic.queryGid(1, 1));
    HcaPort port = nic.queryPort(1);
    assertThat(path.mac()).isEqualTo(port.mac());
    View roce = capability(4);
    assertThat(path.udpSourcePort())
        .isBetween(
            roce.getInt(RoceCap.R_ROCE_MIN_SRC_UDP_PORT),
            roce.getInt(RoceCap.R_ROCE_MAX_SRC_UDP_PORT));
    // Packets of RoCE v1 have no UDP header.
    assertThat(nic.resolve(1, 0, nic.queryGid(1, 0)).udpSourcePort()).isZero();
    assertThat(port.active()).isTrue();
    assertThat(Rig.refused(() -> nic.resolve(1, 5, Gid.ZERO)))
        .hasMessageContaining("entry 5 of the GID table is empty");
    assertThat(nic.resolve(1, 3, Gid.ZERO).mac()).isEqualTo(port.mac());
    Gid other = new EthernetPort(Addresses.IDENTITY + 1, 4096).gid(3);
    assertThat(Rig.refused(() -> nic.resolve(1, 3, other)))
        .hasMessageContaining("this device reaches only its own port")
        .hasMessageContaining("the destination " + Gids.text(other));
  }

  @ParameterizedTest
  @CsvSource({"0, 3, 2", "1, 2, 3", "3, 1, 1"})
  void aPathLeadsToAnAddressOfItsOwnFamilyOnly(int from, int to, int better) {
    Gid destination = nic.queryGid(1, to);
    assertThat(Rig.refused(() -> nic.resolve(1, from, destination)))
        .hasMessageContaining(
            "both IPv4 or both IPv6: entry %d of the GID table is %s, but the destination is %s; use entry %d"
                .formatted(from, Gids.text(nic.queryGid(1, from)), Gids.text(destination), better));
  }

  @Test
  void aLinkLocalPeerOfRoceV1AndAGroupMayBeOfAnotherFamily() {
    long mac = nic.queryPort(1).mac();
    assertThat(nic.resolve(1, 2, nic.queryGid(1, 0)).mac()).isEqualTo(mac);
    assertThat(nic.resolve(1, 1, Gid.ofIpv4(0xe0000101)).mac()).isEqualTo(0x0100_5e00_0101L);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 2})
  void aPortThatDoesNotExistIsNamed(int port) {
    assertThat(Rig.refused(() -> nic.queryPort(port))).hasMessageContaining("port " + port);
    assertThat(Rig.refused(() -> nic.queryGid(port, 0))).hasMessageContaining("port " + port);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 8})
  void aGidThatDoesNotExistIsNamed(int index) {
    assertThat(Rig.refused(() -> nic.queryGid(1, index)))
        .hasMessageContaining("GID index " + index);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4})
  void aCompletionVectorThatDoesNotExistIsNamed(int vector) {
    assertThat(nic.completionVectors()).isEqualTo(4);
    assertThat(Rig.refused(() -> nic.eventQueueNumber(vector)))
        .hasMessageContaining("completion vector " + vector);
  }

  @Test
  void aCommandThatCreatesNoObjectIsRefusedByCreate() {
    byte[] command = View.command(DestroyQpIn.STRUCTURE, CommandOpcode.DESTROY_QP).bytes();
    assertThat(Rig.refused(() -> nic.create(command)))
        .hasMessageContaining("DESTROY_QP")
        .hasMessageContaining("opcode 0x501 does not create an object");
  }

  @Test
  void aCommandThatIsNotADeviceQueryIsRefusedByExecute() {
    byte[] command = View.command(DestroyQpIn.STRUCTURE, CommandOpcode.DESTROY_QP).bytes();
    assertThat(Rig.refused(() -> nic.execute(command)))
        .hasMessageContaining("opcode 0x501 is not a query of the device");
  }

  @Test
  void aCallThatMeetsVanishedMemoryIsRefused(@TempDir Path directory) throws IOException {
    try (MappedFile file = new MappedFile(directory, 1 << 12)) {
      long address = file.memory().address();
      file.truncate();
      assertThat(Rig.refused(() -> nic.run("registerUmem", firmware -> Memory.putLong(address, 1))))
          .hasMessageContaining("registerUmem")
          .hasMessageContaining("a mapped file was truncated");
      assertThat(rig.explanation()).startsWith("registerUmem: memory of the object is gone");
    }
  }

  @Test
  void aHandleTakesCommandsOfItsKindOnly() {
    RawQp qp = rig.qp(rig.cq(4));
    byte[] query =
        View.command(QueryQpIn.STRUCTURE, CommandOpcode.QUERY_QP)
            .set(QueryQpIn.QPN, qp.number())
            .bytes();
    assertThat(Rig.refused(() -> qp.object().modify(query)))
        .hasMessageContaining("does not modify a QP");
    assertThat(Rig.refused(() -> qp.sends().object().query(query)))
        .hasMessageContaining("does not query a CQ");
  }

  @Test
  void aHandleTakesCommandsForItsOwnObjectOnly() {
    RawQp qp = rig.qp(rig.cq(4));
    byte[] query =
        View.command(QueryQpIn.STRUCTURE, CommandOpcode.QUERY_QP)
            .set(QueryQpIn.QPN, qp.number() + 1)
            .bytes();
    assertThat(Rig.refused(() -> qp.object().query(query)))
        .hasMessageContaining("names object 0x%x".formatted(qp.number() + 1))
        .hasMessageContaining("this is 0x%x".formatted(qp.number()));
    qp.object().close();
    assertThat(Rig.refused(() -> qp.object().query(query)))
        .hasMessageContaining("0x%x is closed".formatted(qp.number()));
  }

  @Test
  void commandsOfAnyLengthAreAnswered() {
    for (int length = 0; length < 20; length++) {
      byte[] command = new byte[length];
      Rig.refused(() -> nic.create(command));
      Rig.refused(() -> nic.execute(command));
      Rig.refused(() -> rig.domain().modify(command));
      Rig.refused(() -> rig.domain().query(command));
    }
  }

  @Test
  void theCallersCommandIsNotModified() {
    byte[] command = rig.cq(4).command().bytes();
    byte[] before = command.clone();
    HcaObject object = nic.create(command);
    assertThat(command).isEqualTo(before);
    object.output()[0] = 77;
    assertThat(object.output()[0]).isZero();
  }

  @Test
  void memoryOnTheJavaHeapCannotBeReached() {
    MemorySegment heap = MemorySegment.ofArray(new byte[64]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nic.registerUmem(heap))
        .withMessageContaining("heap");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nic.registerMemory(rig.domain(), heap, 0, 0))
        .withMessageContaining("heap");
  }

  @Test
  void memoryIsRegisteredInADomainOfTheSameDevice() {
    MemorySegment memory = Arena.ofAuto().allocate(64);
    try (Rig other = Rigs.open()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> nic.registerMemory(other.domain(), memory, 0, 0))
          .withMessageContaining("same device");
    }
    HcaObject cq = rig.cq(4).object();
    assertThatIllegalArgumentException().isThrownBy(() -> nic.registerMemory(cq, memory, 0, 0));
  }

  @Test
  void aClosedDeviceRefusesCommandsAndTakesNoStep() {
    RawQp qp = rig.qp(rig.cq(4));
    HcaUmem umem = nic.registerUmem(Arena.ofAuto().allocate(64));
    nic.close();
    nic.close();
    assertThat(nic.step()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(nic::allocateUar)
        .withMessageContaining("device soft is closed");
    assertThatIllegalStateException().isThrownBy(qp::query);
    umem.close();
    qp.object().close();
    rig.uar().close();
  }

  @Test
  void theProviderOpensTheDeviceByName() {
    SoftNicProvider provider = new SoftNicProvider();
    assertThat(provider.names()).containsExactly("soft");
    assertThat(provider.open("mlx5_0")).isEmpty();
    assertThat(ServiceLoader.load(HcaProvider.class))
        .anyMatch(each -> each instanceof SoftNicProvider);
    for (String name :
        new String[] {
          "soft", "soft:engine=poll", "soft:recorder=64,engine=thread", "soft:engine=poll,loss=5%"
        }) {
      try (Hca hca = provider.open(name).orElseThrow()) {
        assertThat(hca.name()).isEqualTo("soft");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "soft:engine=stepped",
        "soft:engine",
        "soft:recorder=0",
        "soft:recorder=1",
        "soft:recorder=100",
        "soft:recorder=-8",
        "soft:recorder=99999999999",
        "soft:loss",
        "soft:loss=101",
        "soft:loss=100.1%",
        "soft:loss=-1",
        "soft:loss=5%%",
        "soft:reorder=.5",
        "soft:duplicate=much",
        "soft:delay=-1",
        "soft:delay=1.5",
        "soft:seed=",
        "soft:seed=99999999999999999999",
        "soft:colour=blue",
        "soft:"
      })
  void anOptionThatIsWrongIsNamed(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SoftNicProvider().open(name))
        .withMessageContaining("of device soft");
  }

  @Test
  void theClockIsTheDevicesOwn() {
    rig.clock().advance(1234);
    assertThat(nic.clock()).isEqualTo(1234);
    assertThatIllegalArgumentException().isThrownBy(() -> rig.clock().advance(-1));
  }

  @Test
  void closingAnEventChannelEndsItsWaitersAndSubscriptions() throws Exception {
    HcaEventChannel channel = nic.openEventChannel();
    RawQp qp = rig.qp(rig.cq(4));
    channel.subscribe(qp.object(), HcaEvent.WQ_CATASTROPHIC, 5);
    assertThat(channel.await(1)).isNull();
    Thread closer = Thread.ofPlatform().start(channel::close);
    assertThat(channel.await(-1)).isNull();
    closer.join();
    assertThat(channel.poll()).isNull();
  }

  @Test
  void objectsAreListedWhileTheyExist() {
    RawQp qp = rig.qp(rig.cq(4));
    assertThat(nic.diagnosis().orElseThrow().objects())
        .anyMatch(line -> line.startsWith("QP 0x%x: RC, RST".formatted(qp.number())))
        .anyMatch(line -> line.startsWith("CQ 0x%x: 16".formatted(qp.sends().number())));
    qp.object().close();
    assertThat(nic.diagnosis().orElseThrow().objects()).noneMatch(line -> line.startsWith("QP"));
  }

  @Test
  void aDeviceSettlesAfterTheCommandOfAnotherThread() throws InterruptedException {
    RawPair pair = rig.pair();
    RawMemory memory = rig.memory(64);
    pair.left().post(Wqe.write(memory, 32).data(memory, 0, 8));
    Thread settling = Thread.currentThread();
    CountDownLatch entered = new CountDownLatch(1);
    AtomicBoolean settled = new AtomicBoolean();
    Thread command =
        Thread.ofPlatform()
            .start(
                () -> {
                  nic.engine().enter();
                  entered.countDown();
                  for (int seen = 0; seen < 100 && !settled.get(); ) {
                    seen += isInStep(settling) ? 1 : 0;
                  }
                  nic.engine().exit();
                });
    entered.await();
    try {
      nic.settle();
    } finally {
      settled.set(true);
      command.join();
    }
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  private static boolean isInStep(Thread thread) {
    return Stream.of(thread.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().equals(SoftNic.class.getName())
                    && frame.getMethodName().equals("step"));
  }
}
