package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.wire.TwoDevices.Pair;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two devices over UDP on this machine. */
@ResourceLock(TwoDevices.ADDRESSES)
class UdpFabricTest {
  private static final int UC = 1;
  private static final int UD = 2;
  private static final int DATAGRAM_HEADER = 40;
  private static final int MTU = 4096;
  private static final long MILLISECOND = 1_000_000;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 1024, 4096, 4097, 10_001, 300_000})
  void aMessageOfAnySizeArrivesWhole(int bytes) {
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair();
      RawMemory from = devices.near.memory(bytes + 8).fill(bytes);
      RawMemory to = devices.far.memory(bytes + 8);
      pair.far().receive(to.address(0), bytes + 8, to.key());
      pair.near().post(Wqe.send().data(from, 0, bytes));
      devices.settle();
      pair.near().sends().pollOne().require(CqeOpcode.REQ, 0);
      RawCqe received = pair.far().receives().pollOne();
      assertThat(received.byteCount()).isEqualTo(bytes);
      assertThat(to.bytes(0, bytes)).isEqualTo(from.bytes(0, bytes));
      to.expectCanaries();
    }
  }

  @Test
  void anRnrNakFromTheNetworkIsExplained() {
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair(0, () -> new Settings().rnrRetry(0));
      pair.near().post(Wqe.send());
      devices.settle();
      pair.near()
          .sends()
          .pollOne()
          .requireError(
              Syndrome.RNR_RETRY_EXC_ERR,
              0,
              "(rnr_retry 0): NAK 0x21 (receiver not ready); the explanations of its device",
              "; the peer is QP 0x%x at %s".formatted(pair.far().number(), TwoDevices.FAR));
    }
  }

  @Test
  void aReceiverOnTheNetworkThatIsNeverReadyIsNamed() {
    try (TwoDevices devices = new TwoDevices()) {
      // Attempts at 0, 655 and 1311 ms.
      Pair pair = devices.pair(0, () -> new Settings().rnrRetry(7).minRnrTimer(0));
      pair.near().post(Wqe.send());
      devices.settle();
      devices.pass(656 * MILLISECOND);
      devices.pass(656 * MILLISECOND);
      assertThat(devices.near.explanations())
          .singleElement()
          .asString()
          .contains("(rnr_retry 7): NAK 0x20 (receiver not ready); the explanations of its device")
          .endsWith("; the peer is QP 0x%x at %s".formatted(pair.far().number(), TwoDevices.FAR));
    }
  }

  @Test
  void aReceiverIsToldOnceThatAMessageWaitedASecondInVain() {
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair(0, () -> new Settings().rnrRetry(0));
      pair.near().post(Wqe.send());
      devices.settle();
      pair.near().sends().pollOne().requireError(Syndrome.RNR_RETRY_EXC_ERR, 0, "rnr_retry 0");
      devices.pass(1000 * MILLISECOND - 1);
      assertThat(devices.far.explanations()).isEmpty();
      devices.pass(1);
      devices.pass(2000 * MILLISECOND);
      assertThat(devices.far.explanations())
          .singleElement()
          .asString()
          .startsWith(
              "a message of QP 0x%x at %s finds no receive: QP 0x%x has no receive WQE posted;"
                  .formatted(pair.near().number(), TwoDevices.NEAR, pair.far().number()));
    }
  }

  @Test
  void aReceiverThatHasPostedAReceiveMeanwhileIsToldNothing() {
    try (TwoDevices devices = new TwoDevices()) {
      // Attempts at 0, 655 and 1311 ms.
      Pair pair = devices.pair(0, () -> new Settings().rnrRetry(7).minRnrTimer(0));
      pair.near().post(Wqe.send());
      devices.settle();
      devices.pass(656 * MILLISECOND);
      pair.far().receiveNothing();
      devices.pass(400 * MILLISECOND);
      devices.pass(300 * MILLISECOND);
      pair.near().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(devices.far.explanations()).isEmpty();
    }
  }

  @Test
  void aReceiverIsToldNothingOfMessagesThatWaitedLessThanASecond() {
    try (TwoDevices devices = new TwoDevices()) {
      // 655 ms between attempts.
      Pair pair = devices.pair(0, () -> new Settings().rnrRetry(7).minRnrTimer(0));
      for (int i = 0; i < 3; i++) {
        pair.near().post(Wqe.send());
        devices.settle();
        pair.far().receiveNothing();
        devices.pass(656 * MILLISECOND);
        pair.near().sends().pollOne().require(CqeOpcode.REQ, i);
      }
      devices.pass(2000 * MILLISECOND);
      assertThat(devices.far.explanations()).isEmpty();
    }
  }

  @Test
  void everyOperationOfAReliableConnectionWorks() {
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair(0, () -> new Settings().mtu(3));
      RawMemory own = devices.near.memory(8192).fill(1);
      RawMemory theirs = devices.far.memory(8192).fill(2);
      byte[] read = theirs.bytes(0, 5000);
      theirs.putLong(6000, 40);
      RawMemory inbox = devices.far.memory(4096);
      pair.far().receive(inbox.address(0), 4096, inbox.key());
      pair.far().receive(inbox.address(0), 4096, inbox.key());
      pair.near().post(Wqe.read(theirs, 0).data(own, 0, 5000));
      pair.near().post(Wqe.fetchAndAdd(theirs, 6000, 2).data(own, 6000, 8));
      pair.near().post(Wqe.compareAndSwap(theirs, 6000, 42, 7).data(own, 6008, 8));
      devices.settle();
      pair.near().post(Wqe.write(theirs, 0).data(own, 6000, 16));
      pair.near()
          .post(
              new Wqe(WqeOpcode.RDMA_WRITE_IMM)
                  .remote(theirs.address(100), theirs.key())
                  .immediate(0x01020304)
                  .data(own, 0, 3000));
      pair.near().post(new Wqe(WqeOpcode.SEND_IMM).immediate(0x0a0b0c0d).data(own, 0, 2500));
      devices.settle();
      assertThat(pair.near().sends().poll(6)).noneMatch(RawCqe::isError);
      assertThat(own.bytes(0, 5000)).isEqualTo(read);
      assertThat(own.getLong(6000)).isEqualTo(40);
      assertThat(own.getLong(6008)).isEqualTo(42);
      assertThat(theirs.getLong(6000)).isEqualTo(7);
      assertThat(theirs.bytes(0, 16)).isEqualTo(own.bytes(6000, 16));
      assertThat(theirs.bytes(100, 3000)).isEqualTo(own.bytes(0, 3000));
      assertThat(pair.far().receives().poll(2))
          .extracting(RawCqe::immediate)
          .containsExactly(0x01020304, 0x0a0b0c0d);
      assertThat(inbox.bytes(0, 2500)).isEqualTo(own.bytes(0, 2500));
    }
  }

  @Test
  void anUnreliableConnectionDeliversWritesAndSends() {
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair(UC, Settings::new);
      RawMemory own = devices.near.memory(9000).fill(1);
      RawMemory theirs = devices.far.memory(9000);
      pair.far().receive(theirs.address(0), 16, theirs.key());
      pair.near().post(Wqe.write(theirs, 0).data(own, 0, 9000));
      pair.near().post(Wqe.send().data(own, 100, 16));
      devices.settle();
      assertThat(pair.near().sends().poll(2)).noneMatch(RawCqe::isError);
      assertThat(pair.far().receives().pollOne().isError()).isFalse();
      assertThat(theirs.bytes(16, 8984)).isEqualTo(own.bytes(16, 8984));
      assertThat(theirs.bytes(0, 16)).isEqualTo(own.bytes(100, 16));
    }
  }

  @Test
  void aDatagramNamesItsSenderByQueuePairAndAddress() {
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair(UD, Settings::new);
      RawMemory own = devices.near.memory(64).fill(1);
      RawMemory inbox = devices.far.memory(128);
      pair.far().receive(inbox.address(0), 128, inbox.key());
      pair.near()
          .post(
              Wqe.datagram(
                      WqeOpcode.SEND,
                      pair.far().number(),
                      0x11111111,
                      EthernetPort.IPV4_V2,
                      TwoDevices.gid(TwoDevices.FAR))
                  .data(own, 0, 33));
      devices.settle();
      RawCqe received = pair.far().receives().pollOne();
      assertThat(received.byteCount()).isEqualTo(DATAGRAM_HEADER + 33);
      assertThat(received.remoteQpn()).isEqualTo(pair.near().number());
      assertThat(inbox.bytes(DATAGRAM_HEADER, 33)).isEqualTo(own.bytes(0, 33));
      assertThat(inbox.bytes(DATAGRAM_HEADER - 8, 4))
          .isEqualTo(InetAddress.ofLiteral(TwoDevices.NEAR).getAddress());
      assertThat(inbox.bytes(DATAGRAM_HEADER - 4, 4))
          .isEqualTo(InetAddress.ofLiteral(TwoDevices.FAR).getAddress());
    }
  }

  @Test
  void anIpv6AddressIsTheGidOfTheDevice() {
    try (Rig rig = TwoDevices.open("::1", UnaryOperator.identity())) {
      RawPair pair = rig.pair(new Settings());
      RawMemory memory = rig.memory(64);
      pair.left().post(Wqe.write(memory, 0).data(memory, 32, 8));
      rig.settle();
      pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(rig.nic().queryGid(1, EthernetPort.IPV4_V2)).isEqualTo(TwoDevices.gid("::1"));
    }
  }

  @Test
  void queuePairsOfOneDeviceNeedNoNetwork() {
    try (TwoDevices devices = new TwoDevices()) {
      RawQp left = devices.near.qp(devices.near.cq(6));
      RawQp right = devices.near.qp(devices.near.cq(6));
      left.connect(right.number(), TwoDevices.to(TwoDevices.NEAR));
      right.connect(left.number(), TwoDevices.to(TwoDevices.NEAR));
      RawMemory memory = devices.near.memory(64);
      left.post(Wqe.write(memory, 0).data(memory, 32, 8));
      devices.settle();
      left.sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(TwoDevices.network(devices.near)).contains("tx_packets 0,");
    }
  }

  @Test
  void withAHairpinQueuePairsOfOneDeviceUseTheNetwork() {
    try (Rig rig = TwoDevices.open(TwoDevices.NEAR, options -> options.withHairpin(true))) {
      RawQp left = rig.qp(rig.cq(6));
      RawQp right = rig.qp(rig.cq(6));
      left.connect(right.number(), TwoDevices.to(TwoDevices.NEAR));
      right.connect(left.number(), TwoDevices.to(TwoDevices.NEAR));
      RawMemory memory = rig.memory(64);
      left.post(Wqe.write(memory, 0).data(memory, 32, 8));
      // It has no public format, and stays inside the device.
      left.post(Wqe.maskedAdd(memory, 0, 1, 0).data(memory, 8, 8));
      rig.settle();
      rig.pass(100 * MILLISECOND);
      assertThat(left.sends().poll(2)).noneMatch(RawCqe::isError);
      // The atomic overtakes the WRITE, so there are a NAK and retransmissions as well.
      assertThat(TwoDevices.network(rig)).doesNotContain("tx_packets 0,");
    }
  }

  @Test
  void aPeerThatIsNotThereUsesUpTheRetries() {
    try (TwoDevices devices = new TwoDevices()) {
      RawQp alone = devices.near.qp(devices.near.cq(6));
      alone.connect(
          0x77, TwoDevices.to(TwoDevices.address(12), new Settings().timeout(1).retryCount(2)));
      RawMemory memory = devices.near.memory(64);
      alone.post(Wqe.write(memory, 0).data(memory, 32, 8));
      devices.settle();
      for (int i = 0; i < 3; i++) {
        devices.pass(MILLISECOND);
      }
      alone.sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "no answer ever");
    }
  }

  @Test
  void aDeviceThatStartsAgainAtItsAddressTakesNothingOfItsOldConnections() {
    try (Rig near = TwoDevices.open(TwoDevices.NEAR, UnaryOperator.identity())) {
      RawQp left = near.qp(near.cq(6));
      RawMemory own = near.memory(64).fill(1);
      int oldQpn;
      try (Rig far = TwoDevices.open(TwoDevices.FAR, UnaryOperator.identity())) {
        oldQpn = far.qp(far.cq(6)).number();
      }
      left.connect(oldQpn, TwoDevices.to(TwoDevices.FAR, new Settings().timeout(1).retryCount(2)));
      try (Rig again = TwoDevices.open(TwoDevices.FAR, UnaryOperator.identity())) {
        RawQp right = again.qp(again.cq(6));
        right.connect(left.number(), TwoDevices.to(TwoDevices.NEAR));
        right.receiveNothing();
        RawMemory theirs = again.memory(64);
        left.post(Wqe.write(theirs, 0).data(own, 0, 64));
        left.post(Wqe.send());
        for (int i = 0; i < 8; i++) {
          near.settle();
          again.settle();
          near.pass(MILLISECOND);
        }
        List<RawCqe> done = left.sends().poll(2);
        done.get(0).requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "no answer ever");
        done.get(1).requireError(Syndrome.WR_FLUSH_ERR, 1);
        assertThat(theirs.bytes()).containsOnly(0);
        assertThat(right.receives().peek()).isEmpty();
        assertThat(right.state()).isEqualTo(QpState.RTS);
        // Two requests, three times each.
        assertThat(TwoDevices.network(again)).contains("tx_packets 0,", "rx_unwanted 6,");
      }
    }
  }

  @Test
  void retransmissionsRepairALossyNetwork() {
    UnaryOperator<SoftNicOptions> lossy =
        options -> options.withLoss(LossOptions.none(7).withLoss(0.1).withReorder(0.05));
    try (TwoDevices devices = new TwoDevices(lossy, lossy)) {
      Pair pair = devices.pair(0, () -> new Settings().mtu(1).timeout(1).asksAfter(2));
      RawMemory own = devices.near.memory(100_000).fill(1);
      RawMemory theirs = devices.far.memory(100_000);
      pair.near().post(Wqe.write(theirs, 0).data(own, 0, 100_000));
      pair.near().post(Wqe.read(theirs, 0).data(own, 0, 100_000));
      byte[] sent = own.bytes();
      devices.settle();
      for (int i = 0; i < 10_000 && pair.near().sends().peek().size() < 2; i++) {
        devices.pass(10_000);
      }
      assertThat(pair.near().sends().poll(2)).noneMatch(RawCqe::isError);
      assertThat(theirs.bytes()).isEqualTo(sent);
    }
  }

  @Test
  void aConnectionFromAGidEntryOffTheNetworkReachesNoPeer() {
    try (TwoDevices devices = new TwoDevices()) {
      RawQp alone = devices.near.qp(devices.near.cq(6));
      alone.connect(
          0x77,
          new Settings()
              .source(EthernetPort.IPV4_V2 - 1)
              .remote(TwoDevices.gid(TwoDevices.FAR))
              .timeout(1)
              .retryCount(1));
      RawMemory memory = devices.near.memory(64);
      alone.post(Wqe.write(memory, 0).data(memory, 32, 8));
      devices.settle();
      devices.pass(MILLISECOND);
      devices.pass(MILLISECOND);
      alone
          .sends()
          .pollOne()
          .requireError(
              Syndrome.TRANSPORT_RETRY_EXC_ERR,
              0,
              "entry 2 of the GID table (src_addr_index) is not on the network",
              "use entry 3, RoCE v2 from " + TwoDevices.NEAR);
    }
  }

  @Test
  void aDestinationOfTheOtherAddressFamilyIsRefused() {
    try (TwoDevices devices = new TwoDevices()) {
      assertThat(
              Rig.refused(
                  () ->
                      devices
                          .near
                          .nic()
                          .resolve(1, EthernetPort.IPV4_V2, TwoDevices.gid("fd00::2"))))
          .hasMessageContaining("reaches only addresses of the same family as");
      RawQp alone = devices.near.qp(devices.near.cq(6));
      alone.connect(0x77, TwoDevices.to("fd00::2", new Settings().timeout(1).retryCount(0)));
      alone.post(Wqe.send());
      devices.settle();
      devices.pass(MILLISECOND);
      alone
          .sends()
          .pollOne()
          .requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "is of another address family");
    }
  }

  @Test
  void aRefusalNamesThePeerAndItsAddressAtBothEnds() {
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair();
      RawMemory own = devices.near.memory(64);
      RawMemory theirs = devices.far.memory(64);
      pair.near()
          .post(
              new Wqe(WqeOpcode.RDMA_WRITE)
                  .remote(theirs.address(0), theirs.key() + 1)
                  .data(own, 0, 8));
      devices.settle();
      pair.near()
          .sends()
          .pollOne()
          .requireError(
              Syndrome.REMOTE_ACCESS_ERR,
              0,
              "NAK 0x62 (remote access error: the key, its rights or its range do not permit it)",
              "the explanations of its device say why",
              "; the peer is QP 0x%x at %s".formatted(pair.far().number(), TwoDevices.FAR));
      assertThat(devices.far.explanation())
          .contains("of QP 0x%x at %s: rkey".formatted(pair.near().number(), TwoDevices.NEAR));
    }
  }

  @Test
  void aPacketThatTheKernelRefusesIsExplained() {
    try (TwoDevices devices = new TwoDevices()) {
      RawQp alone = devices.near.qp(devices.near.cq(6));
      // From a loopback address, nothing leaves the machine.
      alone.connect(0x77, TwoDevices.to("192.0.2.1", new Settings().timeout(1).retryCount(0)));
      alone.post(Wqe.send());
      devices.settle();
      devices.pass(MILLISECOND);
      alone
          .sends()
          .pollOne()
          .requireError(
              Syndrome.TRANSPORT_RETRY_EXC_ERR,
              0,
              "the network refused it (",
              "; the peer is QP 0x77 at 192.0.2.1");
      assertThat(TwoDevices.network(devices.near)).contains("tx_refused 1,");
    }
  }

  @Test
  void anOperationWithoutAPublicFormatIsExplained() {
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair(0, () -> new Settings().timeout(1).retryCount(0));
      RawMemory own = devices.near.memory(64);
      RawMemory theirs = devices.far.memory(64);
      pair.near().post(Wqe.maskedAdd(theirs, 0, 1, 0).data(own, 0, 8));
      devices.settle();
      devices.pass(MILLISECOND);
      pair.near()
          .sends()
          .pollOne()
          .requireError(
              Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "masked atomics have no public packet format");
    }
  }

  @Test
  void queuePairsAndKeysHaveUnpredictableNumbers() {
    try (TwoDevices devices = new TwoDevices()) {
      Set<Integer> steps = new HashSet<>();
      int before = 0;
      for (int i = 0; i < 8; i++) {
        int number = devices.near.qp(devices.near.cq(6)).number();
        int key = devices.near.memory(64).key();
        steps.add(number - before);
        before = number;
        steps.add(key >>> 8);
      }
      assertThat(steps).as("numbers that repeat or go round").hasSizeGreaterThan(14);
    }
  }

  @Test
  void aSecondDeviceAtTheSameAddressIsRefused() {
    try (TwoDevices devices = new TwoDevices()) {
      assertThat(TwoDevices.network(devices.near))
          .startsWith("fabric network %s, UDP port 4791".formatted(TwoDevices.NEAR));
      assertThatThrownBy(() -> TwoDevices.open(TwoDevices.NEAR, UnaryOperator.identity()).close())
          .isInstanceOf(HcaException.class)
          .hasMessageContaining(
              "listen=%s of device soft: UDP port 4791 can't be bound", TwoDevices.NEAR);
    }
  }

  @Test
  void aWindowOfRequestsIsOnTheWayAtATime() {
    int bytes = 4 << 20;
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair(0, () -> new Settings().asksAfter(8));
      RawMemory own = devices.near.memory(bytes).fill(1);
      RawMemory theirs = devices.far.memory(bytes);
      pair.near().post(Wqe.write(theirs, 0).data(own, 0, bytes));
      while (devices.near.nic().step() > 0) {
        // The far device does not respond meanwhile.
      }
      String sent = TwoDevices.network(devices.near).replaceAll(".*tx_packets (\\d+).*", "$1");
      assertThat(Integer.parseInt(sent)).isBetween(2, windowPackets());
      devices.settle();
      pair.near().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(Arrays.equals(theirs.bytes(), own.bytes())).isTrue();
    }
  }

  @Test
  void aLongReadIsAskedForInPartsOfAWindow() {
    int bytes = 4 << 20;
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair(0, () -> new Settings().psn(0xfffff0, 0xfffff0));
      RawMemory own = devices.near.memory(bytes);
      RawMemory theirs = devices.far.memory(bytes).fill(1);
      pair.near().post(Wqe.read(theirs, 0).data(own, 0, bytes));
      pair.near().post(Wqe.fetchAndAdd(theirs, 0, 1).data(own, 8, 8));
      devices.settle();
      assertThat(pair.near().sends().poll(2)).noneMatch(RawCqe::isError);
      assertThat(Arrays.equals(theirs.bytes(16, bytes - 16), own.bytes(16, bytes - 16))).isTrue();
      int window = windowPackets();
      int parts = (bytes / MTU + window - 1) / window;
      assertThat(TwoDevices.network(devices.near)).contains("tx_packets %d,".formatted(parts + 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void severalReadsTogetherStayWithinTheWindow(int perWindow) {
    int window = windowPackets();
    int bytes = window * MTU / perWindow;
    int reads = 16;
    try (TwoDevices devices = new TwoDevices()) {
      Pair pair = devices.pair();
      RawMemory own = devices.near.memory(bytes);
      RawMemory theirs = devices.far.memory(bytes).fill(1);
      for (int i = 0; i < reads; i++) {
        pair.near().post(Wqe.read(theirs, 0).data(own, 0, bytes));
      }
      devices.near.settle();
      devices.far.settle();
      String sent = TwoDevices.network(devices.far).replaceAll(".*tx_packets (\\d+).*", "$1");
      assertThat(Integer.parseInt(sent)).isBetween(window - perWindow, window);
      devices.settle();
      assertThat(pair.near().sends().poll(reads)).noneMatch(RawCqe::isError);
      assertThat(Arrays.equals(theirs.bytes(), own.bytes())).isTrue();
      assertThat(devices.near.explanations()).isEmpty();
    }
  }

  /** Packets of a window: of 512 KiB, or an eighth of the kernel's receive buffer of a socket. */
  private static int windowPackets() {
    try (Link link = Link.open(InetAddress.ofLiteral(TwoDevices.address(12)))) {
      return Math.min(512 << 10, link.receiveBufferBytes() / 8) / MTU;
    }
  }

  @Test
  void aReadInPartsSurvivesLosses() {
    int bytes = 1 << 20;
    UnaryOperator<SoftNicOptions> lossy =
        options -> options.withLoss(LossOptions.none(7).withLoss(0.02));
    try (TwoDevices devices = new TwoDevices(lossy, lossy)) {
      Pair pair = devices.pair(0, () -> new Settings().timeout(1));
      RawMemory own = devices.near.memory(bytes);
      RawMemory theirs = devices.far.memory(bytes).fill(1);
      pair.near().post(Wqe.read(theirs, 0).data(own, 0, bytes));
      pair.near().post(Wqe.write(theirs, 0).data(own, 0, bytes));
      devices.settle();
      for (int i = 0; i < 10_000 && pair.near().sends().peek().size() < 2; i++) {
        devices.pass(10_000);
      }
      assertThat(pair.near().sends().poll(2)).noneMatch(RawCqe::isError);
    }
  }
}
